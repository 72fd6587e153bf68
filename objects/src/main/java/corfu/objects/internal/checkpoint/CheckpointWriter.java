package corfu.objects.internal.checkpoint;

import corfu.objects.CheckpointPolicy;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.value.ValuePrefetcher;
import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.Digester;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a checkpoint of an object: a mark into its stream, the state of there in parts, and, when
 * all of them are in the log, the end. Others read and write the object meanwhile. Holds one part
 * beside the state; of a plain class all of it, as it is serialized as one value. For one thread.
 */
public final class CheckpointWriter<T> {

  /**
   * The operation that asks a host to write a checkpoint; no operation of a class has such a name.
   */
  public static final String OPERATION = "corfu:checkpoint";

  private static final int ATTEMPTS = 3;

  /** Marks and ends concern no key, so that they do not conflict with reads by keys. */
  private static final long NO_KEY = 0x6d61726b6d61726bL;

  private final CheckpointedObject<T> played;
  private final ObjectContext<T> object;
  private final ObjectClient client;
  private final Pace pace;
  private final StreamId ends;
  private final LogStream parts;

  private final CallId checkpoint;
  private ValueOutput part = new ValueOutput(PartBytes.MOST);
  private Optional<StreamAddress> firstPart = Optional.empty();
  private StreamAddress behindParts = StreamAddress.ZERO;
  private long count;
  private long bytes;

  /** Called when a part has been written; may wait, or throw to end it all. */
  @FunctionalInterface
  public interface Pace {
    Pace FAST = written -> {};

    void wrote(int bytes);
  }

  private CheckpointWriter(CheckpointedObject<T> played, Pace pace) {
    this.played = played;
    this.object = played.context();
    this.client = object.client();
    this.pace = pace;
    this.ends = Checkpoints.endsOf(object.stream());
    this.parts = client.streams().open(Checkpoints.partsOf(object.stream()));
    this.checkpoint = client.calls().next();
  }

  /**
   * Writes one that holds all changes that were complete when this was called.
   *
   * @return the log address that it is of
   * @throws SerializationException if its state can't be written
   */
  public static Address write(CheckpointedObject<?> played) {
    played.catchUp(); // if it can't be played, nothing of a checkpoint is in the log
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        Optional<Address> written =
            new CheckpointWriter<>(played, Pace.FAST).write(Optional.empty());
        if (written.isPresent()) {
          return written.get();
        }
      } catch (AppendOutcomeUnknownException unknown) {
        // once more; what has been written of it is in nobody's way
      }
    }
    return new CheckpointWriter<>(played, Pace.FAST)
        .write(Optional.empty())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "others wrote checkpoints of %s meanwhile, and this view went on from theirs"
                        .formatted(played.context().name())));
  }

  /**
   * Writes one unless somebody has begun one since the view was played.
   *
   * @return empty: somebody has, or may have
   */
  public static Optional<Address> writeIfFirst(CheckpointedObject<?> played, Pace pace) {
    Address before = played.playedBefore().orElse(Address.ZERO);
    List<StreamPart> unchanged =
        List.of(StreamPart.whole(Checkpoints.endsOf(played.context().stream())));
    return new CheckpointWriter<>(played, pace)
        .write(Optional.of(new Condition(before.value(), unchanged)));
  }

  private Optional<Address> write(Optional<Condition> condition) {
    try {
      return writeAll(condition);
    } catch (SerializationException e) {
      throw new SerializationException(
          "the state of object %s can't be saved, so there are no checkpoints of it: %s"
              .formatted(object.name(), e.getMessage()),
          e);
    }
  }

  private Optional<Address> writeAll(Optional<Condition> condition) {
    Optional<CheckpointedObject.StateCopy<T>> taken =
        played.copyAt(checkpoint, () -> mark(condition));
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    CheckpointedObject.StateCopy<T> snapshot = taken.get();
    Optional<Digester> digester = object.serializer().digester();
    ValuePrefetcher ahead =
        new ValuePrefetcher(
            played.values(),
            value -> {
              ValueOutput one = new ValueOutput();
              object.serializer().write(new @Nullable Object[] {value}, one);
              digester.ifPresent(digests -> digests.add(new ValueInput(one.toBuffer())));
              add(one);
            });
    object.snapshots().save(snapshot.state(), ahead::accept);
    ahead.flush();
    part.writeVarLong(0); // no value has no bytes
    appendPart();
    CheckpointEnd end =
        new CheckpointEnd(
            checkpoint,
            object.type().stateName(),
            snapshot.before().value(),
            snapshot.resume().value(),
            firstPart.orElseThrow().value(),
            behindParts.value(),
            count,
            bytes,
            client.world().wallTimeMillis(),
            history(),
            digester.map(Digester::digest));
    var unused = append(end, Optional.empty());
    return Optional.of(snapshot.before());
  }

  private String history() {
    CheckpointPolicy policy = object.checkpoints();
    return policy.isAutomatic() ? policy.history().toString() : "";
  }

  /** Whether it was appended; if not, others were first. */
  private boolean mark(Optional<Condition> condition) {
    CheckpointMark mark =
        new CheckpointMark(checkpoint, object.type().stateName(), client.world().wallTimeMillis());
    return append(mark, condition) instanceof StreamAppend.Appended;
  }

  private StreamAppend append(ObjectRecord record, Optional<Condition> condition) {
    List<StreamPart> streams =
        List.of(new StreamPart(object.stream(), List.of(NO_KEY)), StreamPart.whole(ends));
    return client
        .streams()
        .appendChange(streams, condition, RecordCodec.encode(record), outcome -> {});
  }

  private void add(ValueOutput value) {
    ByteBuffer rest = value.toBuffer();
    part.writeVarLong(rest.remaining());
    while (rest.hasRemaining()) {
      int length = Math.min(rest.remaining(), Math.max(1, PartBytes.MOST - part.size()));
      part.writeBuffer(rest.slice(rest.position(), length));
      rest.position(rest.position() + length);
      if (part.size() >= PartBytes.MOST) {
        appendPart();
        client.deadline().renew();
      }
    }
  }

  private void appendPart() {
    StreamAppend.Appended appended =
        parts.append(RecordCodec.encode(new CheckpointPart(checkpoint, part.toBuffer())));
    StreamAddress place = appended.in(parts.id());
    firstPart = firstPart.or(() -> Optional.of(place));
    behindParts = new StreamAddress(place.value() + 1);
    count++;
    bytes += part.size();
    int written = part.size();
    part = new ValueOutput(PartBytes.MOST);
    pace.wrote(written);
  }
}
