package corfu.store;

import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * An immutable view of the store at one log address. It costs nothing to keep. Thread-safe.
 *
 * <p>Reads throw {@link ValueForgottenException} if a compaction has deleted the values since.
 */
public final class StoreSnapshot {

  private final Address address;
  private final OrderedIndex index;
  private final long lastChange;
  private final Values values;
  private final StoreOptions options;

  StoreSnapshot(
      Address address, OrderedIndex index, long lastChange, Values values, StoreOptions options) {
    this.address = address;
    this.index = index;
    this.lastChange = lastChange;
    this.values = values;
    this.options = options;
  }

  /** Returns the log address below which the snapshot includes every change, and no others. */
  public Address address() {
    return address;
  }

  /** Returns the number of keys with a value. */
  public int size() {
    return index.size();
  }

  /** Returns the key's value, or empty if it has none. */
  public Optional<Versioned> get(String key) {
    return Optional.ofNullable(getAll(List.of(key)).get(key));
  }

  /**
   * Returns the values of the keys that have one, in the order of the argument.
   *
   * @throws StoreLimitException if the keys or values exceed the limits of a call
   */
  public Map<String, Versioned> getAll(Collection<String> keys) {
    return getAll(keys, bytes -> {});
  }

  /**
   * Returns the same for callers with bounded memory.
   *
   * @param beforeRead receives the size of all values in bytes before any value is read; if it
   *     throws, no value is read
   */
  public Map<String, Versioned> getAll(Collection<String> keys, LongConsumer beforeRead) {
    if (keys.size() > options.maxKeys()) {
      throw new StoreLimitException(
          "%d keys were asked for, but one call may ask for %d: ask several times"
              .formatted(keys.size(), options.maxKeys()));
    }
    Map<String, ValueLocation> slots = new LinkedHashMap<>();
    for (String key : keys) {
      index.find(key).ifPresent(slot -> slots.put(key, slot));
    }
    return read(slots, beforeRead);
  }

  /**
   * Returns keys in the order of {@link String#compareTo}, and their values.
   *
   * @param from the first key, or a lower one
   * @param most the largest number of keys; fewer if their values would exceed the limits of a
   *     call, but at least one
   */
  public Map<String, Versioned> scan(String from, int most) {
    return scan(from, most, bytes -> {});
  }

  /**
   * Returns the same for callers with bounded memory.
   *
   * @param beforeRead receives the size of all values in bytes before any value is read; if it
   *     throws, no value is read
   */
  public Map<String, Versioned> scan(String from, int most, LongConsumer beforeRead) {
    Map<String, ValueLocation> slots = new LinkedHashMap<>();
    long bytes = 0;
    Iterator<Map.Entry<String, ValueLocation>> keys = index.from(from);
    while (keys.hasNext() && slots.size() < Math.min(most, options.maxKeys())) {
      Map.Entry<String, ValueLocation> next = keys.next();
      bytes += next.getValue().length();
      if (bytes > options.maxBytes() && !slots.isEmpty()) {
        break;
      }
      slots.put(next.getKey(), next.getValue());
    }
    return read(slots, beforeRead);
  }

  /** Returns keys in their order, without their values. */
  public List<String> keys(String from, int most) {
    List<String> keys = new ArrayList<>();
    Iterator<Map.Entry<String, ValueLocation>> next = index.from(from);
    while (next.hasNext() && keys.size() < most) {
      keys.add(next.next().getKey());
    }
    return keys;
  }

  private Map<String, Versioned> read(Map<String, ValueLocation> slots, LongConsumer beforeRead) {
    return tryRead(slots, beforeRead).orElseThrow(() -> new ValueForgottenException(address));
  }

  /** Reads the values of these places, or returns empty if a value has moved since. */
  Optional<Map<String, Versioned>> tryRead(Map<String, ValueLocation> slots) {
    return tryRead(slots, bytes -> {});
  }

  private Optional<Map<String, Versioned>> tryRead(
      Map<String, ValueLocation> slots, LongConsumer beforeRead) {
    long bytes = 0;
    for (ValueLocation slot : slots.values()) {
      bytes += slot.length();
    }
    if (bytes > options.maxBytes() && slots.size() > 1) {
      throw new StoreLimitException(
          "the %d values have %d bytes, but one call may ask for %d: ask for fewer keys"
              .formatted(slots.size(), bytes, options.maxBytes()));
    }
    beforeRead.accept(bytes);
    return values.read(slots);
  }

  OrderedIndex index() {
    return index;
  }

  long lastChange() {
    return lastChange;
  }
}
