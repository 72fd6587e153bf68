package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.Digester;
import corfu.objects.serial.Input;
import corfu.objects.serial.Output;
import corfu.objects.serial.SerializationException;
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
final class CheckpointWriter<T> {

  /** What a host is asked to do; no operation of a class has such a name. */
  static final String OPERATION = "corfu:checkpoint";

  /** A part is written when it has grown as large. */
  static final int PART_BYTES = 256 << 10;

  private static final int ATTEMPTS = 3;

  /** Marks and ends are about no key, so that they are in the way of nobody who reads by keys. */
  private static final long NO_KEY = 0x6d61726b6d61726bL;

  private final View<T> view;
  private final ObjectClient client;
  private final Pace pace;
  private final StreamId ends;
  private final LogStream parts;

  private final CallId checkpoint;
  private Output part = new Output(PART_BYTES);
  private Optional<StreamAddress> firstPart = Optional.empty();
  private StreamAddress behindParts = StreamAddress.ZERO;
  private long count;
  private long bytes;

  /** Called when a part has been written; may wait, or throw to end it all. */
  @FunctionalInterface
  interface Pace {
    Pace FAST = written -> {};

    void wrote(int bytes);
  }

  private CheckpointWriter(View<T> view, Pace pace) {
    this.view = view;
    this.client = view.client();
    this.pace = pace;
    this.ends = Checkpoints.endsOf(view.stream());
    this.parts = client.streams().open(Checkpoints.partsOf(view.stream()));
    this.checkpoint = client.calls().next();
  }

  /**
   * Writes one that holds all changes that were complete when this was called.
   *
   * @return the log address that it is of
   * @throws SerializationException if its state can't be written
   */
  static Address write(View<?> view) {
    view.catchUp(); // if it can't be played, nothing of a checkpoint is in the log
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        Optional<Address> written = new CheckpointWriter<>(view, Pace.FAST).write(Optional.empty());
        if (written.isPresent()) {
          return written.get();
        }
      } catch (AppendOutcomeUnknownException unknown) {
        // once more; what has been written of it is in nobody's way
      }
    }
    return new CheckpointWriter<>(view, Pace.FAST)
        .write(Optional.empty())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "others wrote checkpoints of %s meanwhile, and this view went on from theirs"
                        .formatted(view.name())));
  }

  /**
   * Writes one unless somebody has begun one since the view was played.
   *
   * @return empty: somebody has, or may have
   */
  static Optional<Address> writeIfFirst(View<?> view, Pace pace) {
    Address played = view.playedBefore().orElse(Address.ZERO);
    List<StreamPart> unchanged = List.of(StreamPart.whole(Checkpoints.endsOf(view.stream())));
    return new CheckpointWriter<>(view, pace)
        .write(Optional.of(new Condition(played.value(), unchanged)));
  }

  private Optional<Address> write(Optional<Condition> condition) {
    try {
      return writeAll(condition);
    } catch (SerializationException e) {
      throw new SerializationException(
          "the state of object %s can't be saved, so there are no checkpoints of it: %s"
              .formatted(view.name(), e.getMessage()),
          e);
    }
  }

  private Optional<Address> writeAll(Optional<Condition> condition) {
    Optional<Marks.Snapshot<T>> taken = view.marks().snapshotAt(checkpoint, () -> mark(condition));
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Marks.Snapshot<T> snapshot = taken.get();
    Optional<Digester> digester = view.serializer().digester();
    LookAhead ahead =
        new LookAhead(
            view.values(),
            value -> {
              Output one = new Output();
              view.serializer().write(new @Nullable Object[] {value}, one);
              digester.ifPresent(digests -> digests.add(new Input(one.toBuffer())));
              add(one);
            });
    view.snapshots().save(snapshot.state(), ahead::accept);
    ahead.flush();
    part.writeVarLong(0); // no value has no bytes
    appendPart();
    CheckpointEnd end =
        new CheckpointEnd(
            checkpoint,
            view.type().stateName(),
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
    CheckpointPolicy policy = client.checkpointsOf(view);
    return policy.isAutomatic() ? policy.history().toString() : "";
  }

  /** Whether it was appended; if not, others were first. */
  private boolean mark(Optional<Condition> condition) {
    CheckpointMark mark =
        new CheckpointMark(checkpoint, view.type().stateName(), client.world().wallTimeMillis());
    return append(mark, condition) instanceof StreamAppend.Appended;
  }

  private StreamAppend append(ObjectRecord record, Optional<Condition> condition) {
    List<StreamPart> streams =
        List.of(new StreamPart(view.stream(), List.of(NO_KEY)), StreamPart.whole(ends));
    return client
        .streams()
        .appendChange(streams, condition, RecordCodec.encode(record), outcome -> {});
  }

  private void add(Output value) {
    ByteBuffer rest = value.toBuffer();
    part.writeVarLong(rest.remaining());
    while (rest.hasRemaining()) {
      int length = Math.min(rest.remaining(), Math.max(1, PART_BYTES - part.size()));
      part.writeBuffer(rest.slice(rest.position(), length));
      rest.position(rest.position() + length);
      if (part.size() >= PART_BYTES) {
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
    part = new Output(PART_BYTES);
    pace.wrote(written);
  }
}
