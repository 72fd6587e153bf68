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
 * All of the store as it was at one address of the log. Costs nothing to keep; what it reads does
 * not change. Thread-safe.
 *
 * <p>Reading throws {@link ValueForgottenException} where the store has been compacted since.
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

  /** All changes below it are seen, and no others. */
  public Address address() {
    return address;
  }

  /** How many keys have a value. */
  public int size() {
    return index.size();
  }

  /** The key's value, if it has one. */
  public Optional<Versioned> get(String key) {
    return Optional.ofNullable(getAll(List.of(key)).get(key));
  }

  /**
   * The values of those keys that have one, in the order in which they were asked for.
   *
   * @throws StoreLimitException if they are more than one call may ask for
   */
  public Map<String, Versioned> getAll(Collection<String> keys) {
    return getAll(keys, bytes -> {});
  }

  /**
   * The same for callers whose memory is bounded.
   *
   * @param beforeRead is told, before anything is read, how many bytes the values have; nothing is
   *     read if it throws
   */
  public Map<String, Versioned> getAll(Collection<String> keys, LongConsumer beforeRead) {
    if (keys.size() > options.maxKeys()) {
      throw new StoreLimitException(
          "%d keys were asked for, but one call may ask for %d: ask several times"
              .formatted(keys.size(), options.maxKeys()));
    }
    Map<String, Slot> slots = new LinkedHashMap<>();
    for (String key : keys) {
      index.find(key).ifPresent(slot -> slots.put(key, slot));
    }
    return read(slots, beforeRead);
  }

  /**
   * Keys in their order (that of {@link String#compareTo}), and their values.
   *
   * @param from the first one, or before it
   * @param most how many at most; fewer if their values would be more than one call may ask for,
   *     but one at least
   */
  public Map<String, Versioned> scan(String from, int most) {
    return scan(from, most, bytes -> {});
  }

  /**
   * The same for callers whose memory is bounded.
   *
   * @param beforeRead is told, before anything is read, how many bytes the values have; nothing is
   *     read if it throws
   */
  public Map<String, Versioned> scan(String from, int most, LongConsumer beforeRead) {
    Map<String, Slot> slots = new LinkedHashMap<>();
    long bytes = 0;
    Iterator<Map.Entry<String, Slot>> keys = index.from(from);
    while (keys.hasNext() && slots.size() < Math.min(most, options.maxKeys())) {
      Map.Entry<String, Slot> next = keys.next();
      bytes += next.getValue().length();
      if (bytes > options.maxBytes() && !slots.isEmpty()) {
        break;
      }
      slots.put(next.getKey(), next.getValue());
    }
    return read(slots, beforeRead);
  }

  /** Keys in their order, without their values. */
  public List<String> keys(String from, int most) {
    List<String> keys = new ArrayList<>();
    Iterator<Map.Entry<String, Slot>> next = index.from(from);
    while (next.hasNext() && keys.size() < most) {
      keys.add(next.next().getKey());
    }
    return keys;
  }

  private Map<String, Versioned> read(Map<String, Slot> slots, LongConsumer beforeRead) {
    return tryRead(slots, beforeRead).orElseThrow(() -> new ValueForgottenException(address));
  }

  /** Empty if a value has been moved since. */
  Optional<Map<String, Versioned>> tryRead(Map<String, Slot> slots) {
    return tryRead(slots, bytes -> {});
  }

  private Optional<Map<String, Versioned>> tryRead(
      Map<String, Slot> slots, LongConsumer beforeRead) {
    long bytes = 0;
    for (Slot slot : slots.values()) {
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
