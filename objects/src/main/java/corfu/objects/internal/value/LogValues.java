package corfu.objects.internal.value;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.InLog;
import corfu.objects.serial.LocatedValue;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueLocator;
import corfu.protocol.Address;
import corfu.runtime.CallScope;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The values of an object that stay in the log. The object's states have {@link LogValue}s in their
 * place, and this class reads the values. If the entry of a value has been forgotten, this class
 * finds the value in the checkpoints by its digest. Then the view is made anew, so that it knows
 * the new places of all other values, too. Thread-safe.
 */
public final class LogValues implements LocatedValue.Source, ValueLocator {

  /**
   * The operation that tells a host of forgotten values; no operation of a class has such a name.
   * Its arguments: {@link Listener}'s.
   */
  public static final String FORGOTTEN = "corfu:forgotten";

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ObjectContext<?> object;
  private final Supplier<ValueSearch> search;
  private final Listener own;
  private volatile Listener listener = (anchor, before) -> {};

  /** Is told of values that are not where they were; the object's state is made anew. */
  @FunctionalInterface
  public interface Listener {
    void forgotten(long anchor, long before);
  }

  /**
   * @param search finds values that are not where they were
   * @param own told of them first
   */
  public LogValues(ObjectContext<?> object, Supplier<ValueSearch> search, Listener own) {
    this.object = object;
    this.search = search;
    this.own = own;
  }

  /** Somebody else who plays the object wants to know what is forgotten, too. */
  public void whenForgotten(Listener told) {
    listener = told;
  }

  @Override
  public Serializer serializer() {
    return object.serializer();
  }

  // -------------------------------------------------------------------------------------- places

  /** In the arguments of an update. */
  public ValueLocator inUpdate(Address address, int update) {
    return (offset, content) ->
        Optional.of(new LogValue.InUpdate<>(this, content, address.value(), update, offset));
  }

  /** In the state that an update restores. */
  public RestoredPlaces inRestored(Address address, int update) {
    return from ->
        (offset, content) ->
            Optional.of(
                new LogValue.Restored<>(this, content, address.value(), update, from + offset));
  }

  /** Where values of a state are that is within an update. */
  @FunctionalInterface
  public interface RestoredPlaces {

    /** For what begins there in the state. */
    ValueLocator from(int from);
  }

  /** A value in a message does not stay there. */
  @Override
  public Optional<InLog<?>> at(int offset, ContentDigest content) {
    return Optional.empty();
  }

  @Override
  public InLog<?> pointed(ContentDigest content, ValueInput place) {
    return LogValue.pointed(this, content, place);
  }

  // ------------------------------------------------------------------------------------- reading

  /** Entries that have been read, of which each is looked into once. */
  private final class Entries {
    private final Map<Long, ObjectRecord> records = new HashMap<>();

    Entries(Set<Long> addresses) {
      List<Address> all = addresses.stream().map(Address::new).toList();
      for (LogEntry entry : object.client().streams().read(all)) {
        if (entry instanceof LogEntry.Data data) {
          records.put(data.address().value(), RecordCodec.decode(object.stream(), data.payload()));
        }
      }
    }

    Optional<ByteBuffer> bytesOf(LogValue<?> value) {
      List<ObjectRecord> found = new ArrayList<>();
      for (long address : value.addresses()) {
        ObjectRecord record = records.get(address);
        if (record == null) {
          return Optional.empty();
        }
        found.add(record);
      }
      return Optional.of(value.bytesIn(found));
    }
  }

  private static Set<Long> addressesOf(List<LocatedValue<?>> values) {
    Set<Long> addresses = new TreeSet<>();
    for (LocatedValue<?> value : values) {
      for (long address : ((LogValue<?>) value).addresses()) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /** Has entries read that will soon be asked for. */
  void prepare(List<LocatedValue<?>> values) {
    var unused =
        object.client().streams().read(addressesOf(values).stream().map(Address::new).toList());
  }

  @Override
  public List<ByteBuffer> bytes(List<LocatedValue<?>> values) {
    CallScope call = object.client().call();
    try {
      return bytesOf(values);
    } finally {
      call.end();
    }
  }

  private List<ByteBuffer> bytesOf(List<LocatedValue<?>> values) {
    Entries entries = new Entries(addressesOf(values));
    Map<Integer, ByteBuffer> found = new HashMap<>();
    List<LogValue<?>> missing = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      LogValue<?> value = (LogValue<?>) values.get(i);
      Optional<ByteBuffer> bytes = entries.bytesOf(value);
      if (bytes.isPresent()) {
        found.put(i, bytes.get());
      } else {
        missing.add(value);
      }
    }
    Map<ContentDigest, ByteBuffer> moved = missing.isEmpty() ? Map.of() : moved(missing);
    List<ByteBuffer> all = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      ByteBuffer bytes = found.get(i);
      all.add(bytes != null ? bytes : moved.getOrDefault(values.get(i).content(), NONE));
    }
    return all;
  }

  /**
   * Finds values of trimmed entries: such a value is in a checkpoint if the object still has it.
   */
  private Map<ContentDigest, ByteBuffer> moved(List<LogValue<?>> values) {
    long anchor = values.stream().mapToLong(LogValue::anchor).max().orElse(0);
    Set<ContentDigest> wanted = new HashSet<>();
    values.forEach(value -> wanted.add(value.content()));
    Map<ContentDigest, ByteBuffer> found = new HashMap<>();
    ValueSearch checkpoints = search.get();
    long newest = checkpoints.find(wanted, found);
    own.forgotten(anchor, newest);
    listener.forgotten(anchor, newest);
    for (LogValue<?> value : values) {
      if (!found.containsKey(value.content())) {
        throw new HistoryTrimmedException(
            "a value of %d bytes that object %s had at address %d has been forgotten (%s), and is"
                    .formatted(value.length(), object.name(), anchor, checkpoints.history())
                + " in no checkpoint that is left; read the object again for what it has now");
      }
    }
    return found;
  }
}
