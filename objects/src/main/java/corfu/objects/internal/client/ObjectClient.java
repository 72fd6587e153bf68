package corfu.objects.internal.client;

import corfu.objects.ObjectOptions;
import corfu.objects.internal.state.Pins;
import corfu.objects.record.CallId;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Written;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.AsOf;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The state that all objects of a client share: its access to the log, and its identity.
 * Thread-safe.
 */
public final class ObjectClient {

  private final StreamAccess access;
  private final World world;
  private final Log log;
  private final Streams streams;
  private final ObjectOptions options;
  private final StreamEndCoalescer streamEnds;
  private final Pins pins = new Pins();
  private final Pins past = new Pins();
  private final Background background;
  private final PendingCalls calls;
  private final TypeCatalogue catalogue;
  private final AtomicLong decidedBelow = new AtomicLong();
  private final ConcurrentHashMap<ObjectType<?>, Serializer> serializers =
      new ConcurrentHashMap<>();

  /**
   * @param catalogue made once, of this client
   */
  public ObjectClient(
      Corfu corfu, ObjectOptions options, Function<ObjectClient, TypeCatalogue> catalogue) {
    this.access = corfu.streamAccess();
    this.world = access.world();
    this.log = corfu.log();
    this.streams = Streams.over(corfu);
    this.options = options;
    this.streamEnds = new StreamEndCoalescer(access, streams);
    this.background = new Background(world);
    corfu.streamAccess().whenClosed(background::stop);
    this.calls = new PendingCalls(world.random().nextLong());
    this.catalogue = catalogue.apply(this);
  }

  public StreamAccess access() {
    return access;
  }

  /** Begins a call of the thread, or a part of the one that it is in. */
  public CallScope call() {
    return access.call();
  }

  /** Returns the deadline of the call that the thread is in, or that of a call that begins now. */
  public Deadline deadline() {
    return access.deadline();
  }

  public World world() {
    return world;
  }

  public Log log() {
    return log;
  }

  public Streams streams() {
    return streams;
  }

  public ObjectOptions options() {
    return options;
  }

  public StreamEndCoalescer streamEnds() {
    return streamEnds;
  }

  public Pins pins() {
    return pins;
  }

  /** The snapshots of the past that are being read. */
  public Pins past() {
    return past;
  }

  /** Nothing that is older is read by anybody at this client, or will be without notice. */
  public long oldestSnapshot() {
    return Math.min(pins.lowest(), past.lowest());
  }

  public Background background() {
    return background;
  }

  public PendingCalls calls() {
    return calls;
  }

  public TypeCatalogue catalogue() {
    return catalogue;
  }

  /**
   * Writes and reads the values of a type.
   *
   * @throws SerializationException if there are such as can never be written
   */
  public Serializer serializerOf(ObjectType<?> type) {
    return serializers.computeIfAbsent(type, this::newSerializer);
  }

  private Serializer newSerializer(ObjectType<?> type) {
    for (Written written : type.written()) {
      options
          .serializer()
          .objectionTo(written.type())
          .ifPresent(
              objection -> {
                throw new SerializationException(written.what() + ": " + objection);
              });
    }
    return options.serializer().knowing(options.types()).knowing(type.valueTypes());
  }

  /** Changes of now. */
  public Updates record(CallId call, List<Update> updates) {
    return new Updates(call, world.wallTimeMillis(), updates);
  }

  /**
   * Makes sure that nothing ever appears below a log address that has not been issued by now.
   *
   * @param object what is to be read there
   * @throws IllegalArgumentException if the log does not reach there
   */
  public void decide(String object, Address before) {
    if (before.value() > decidedBelow.get()) {
      if (log.read(new Address(before.value() - 1)) instanceof LogEntry.Unwritten) {
        throw new IllegalArgumentException(
            "%s can't be read at address %s: the log ends before it".formatted(object, before));
      }
      decidedBelow.accumulateAndGet(before.value(), Math::max);
    }
  }

  /** A log address below which all is decided, as far as this client has asked. */
  public long decidedBelow() {
    return decidedBelow.get();
  }

  /**
   * Writes changes as one entry.
   *
   * @param writes the objects that are changed, and which keys of them
   * @param condition what must not have changed; empty: none
   * @param asOf when the condition's snapshot was taken
   * @param listener told of the outcome as soon as there is one
   * @return where it is, or who was first; if the outcome could not be learned at once, it was
   *     found out
   * @throws AppendOutcomeUnknownException if it could not be found out either
   */
  public StreamAppend append(
      Updates record,
      List<StreamPart> writes,
      Optional<Condition> condition,
      AsOf asOf,
      Consumer<StreamAppend> listener) {
    ByteBuffer payload = RecordCodec.encode(record);
    CallScope call = call();
    try {
      return append(payload, record, writes, condition, asOf, listener);
    } finally {
      call.end();
    }
  }

  private StreamAppend append(
      ByteBuffer payload,
      Updates record,
      List<StreamPart> writes,
      Optional<Condition> condition,
      AsOf asOf,
      Consumer<StreamAppend> listener) {
    while (true) {
      try {
        return streams.appendChange(writes, condition, asOf, payload.duplicate(), listener);
      } catch (AppendOutcomeUnknownException unknown) {
        StreamId object = record.updates().getFirst().object();
        Optional<StreamAppend> there = find(record.call(), object, unknown);
        if (there.isPresent()) {
          return there.get();
        }
        // The address is decided, and is not ours: so nothing has happened, and it may be tried
        // again, until the call's deadline.
      }
    }
  }

  /**
   * Decides the address, and looks whether our entry is there.
   *
   * @throws AppendOutcomeUnknownException the same, if that can't be done now, or not any more
   */
  private Optional<StreamAppend> find(
      CallId call, StreamId object, AppendOutcomeUnknownException unknown) {
    Address address = unknown.address();
    LogEntry entry;
    try {
      entry = log.fill(address);
    } catch (CorfuException notNow) {
      unknown.addSuppressed(notNow);
      throw unknown;
    }
    if (entry instanceof LogEntry.Trimmed) {
      throw unknown; // it may have been there, and have been forgotten since
    }
    if (entry instanceof LogEntry.Data data && isOf(call, object, data.payload())) {
      return Optional.of(new StreamAppend.Appended(address, List.of(), Epoch.NONE));
    }
    return Optional.empty();
  }

  private static boolean isOf(CallId call, StreamId object, ByteBuffer payload) {
    try {
      ObjectRecord record = RecordCodec.decode(object, payload);
      return record instanceof Updates updates && updates.call().equals(call);
    } catch (SerializationException other) {
      return false; // somebody else's, of another kind
    }
  }
}
