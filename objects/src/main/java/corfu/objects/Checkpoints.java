package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.Input;
import corfu.objects.serial.Output;
import corfu.objects.serial.SerializationException;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Snapshots;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of an object: its state, saved at some log address, in two streams of their own.
 * Parts go to one; when all of them are there, an end goes to the other. What has no end is none,
 * so whoever dies while writing one leaves nothing but a few parts.
 *
 * <p>History is trimmed only behind a checkpoint whose end is in the log.
 */
final class Checkpoints<T> {

  /** A part is written when it has grown as large. */
  private static final int PART_BYTES = 256 << 10;

  private final View<T> view;
  private final LogStream ends;
  private final LogStream parts;

  /**
   * Where playing can begin.
   *
   * @param state holds all changes below {@code before}
   * @param resume where in the object's stream to go on
   */
  record Start<T>(T state, long before, StreamAddress resume) {}

  /** A checkpoint that is complete, and where its end is. */
  private record Complete(StreamAddress at, CheckpointEnd end) {}

  Checkpoints(View<T> view) {
    this.view = view;
    this.ends = view.client().streams().open(endsOf(view.stream()));
    this.parts = view.client().streams().open(partsOf(view.stream()));
  }

  /** The stream that tells which checkpoints of an object are complete. */
  static StreamId endsOf(StreamId object) {
    return StreamId.named("corfu.objects/checkpoints/" + object);
  }

  static StreamId partsOf(StreamId object) {
    return StreamId.named("corfu.objects/checkpoint-parts/" + object);
  }

  // ------------------------------------------------------------------------------------- reading

  /** The newest state that holds nothing from {@code limit} on; at worst an empty one. */
  Start<T> start(long limit) {
    for (Complete checkpoint : fitting(all(), limit).reversed()) {
      Optional<T> state = load(checkpoint.end);
      if (state.isPresent()) {
        CheckpointEnd end = checkpoint.end;
        return new Start<>(state.get(), end.before(), new StreamAddress(end.resume()));
      }
    }
    return new Start<>(view.type().create(), 0, StreamAddress.ZERO);
  }

  /** Those of all types, in the order in which they were completed. */
  private List<Complete> all() {
    List<Complete> all = new ArrayList<>();
    for (StreamRead read : ends.read(StreamAddress.ZERO, ends.tail())) {
      if (read instanceof StreamRead.Entry entry
          && RecordCodec.decode(ends.id(), entry.payload()) instanceof CheckpointEnd end) {
        all.add(new Complete(entry.streamAddress(), end));
      }
    }
    return all;
  }

  /** Those of our type that are old enough, the oldest state first. */
  private List<Complete> fitting(List<Complete> all, long limit) {
    return all.stream()
        .filter(each -> each.end.stateName().equals(view.type().stateName()))
        .filter(each -> each.end.before() <= limit)
        .sorted(Comparator.comparingLong(each -> each.end.before()))
        .toList();
  }

  /** Empty if parts of it are trimmed: then there is a newer one, or nobody should have. */
  private Optional<T> load(CheckpointEnd end) {
    Iterator<StreamRead> read =
        parts.scan(new StreamAddress(end.firstPart()), new StreamAddress(end.behindParts()));
    Iterator<ByteBuffer> ours = partsOf(read, end.checkpoint());
    try {
      Iterator<@Nullable Object> values = new Values(new PartBytes(ours));
      return Optional.of(snapshots().load(values));
    } catch (NoSuchElementException trimmed) {
      return Optional.empty();
    }
  }

  private Iterator<ByteBuffer> partsOf(Iterator<StreamRead> read, CallId checkpoint) {
    return new Iterator<>() {
      private Optional<ByteBuffer> next = Optional.empty();

      @Override
      public boolean hasNext() {
        while (next.isEmpty() && read.hasNext()) {
          StreamRead one = read.next();
          if (one instanceof StreamRead.Trimmed) {
            return false; // what is left begins in the middle
          }
          if (one instanceof StreamRead.Entry entry
              && RecordCodec.decode(parts.id(), entry.payload()) instanceof CheckpointPart part
              && part.checkpoint().equals(checkpoint)) {
            next = Optional.of(part.bytes());
          }
        }
        return next.isPresent();
      }

      @Override
      public ByteBuffer next() {
        if (!hasNext()) {
          throw new NoSuchElementException("a part of checkpoint " + checkpoint + " is missing");
        }
        ByteBuffer part = next.orElseThrow();
        next = Optional.empty();
        return part;
      }
    };
  }

  /** Values until the one that says that there are no more. */
  private final class Values implements Iterator<@Nullable Object> {
    private final PartBytes bytes;
    private int length;
    private boolean isKnown;

    Values(PartBytes bytes) {
      this.bytes = bytes;
    }

    @Override
    public boolean hasNext() {
      if (!isKnown) {
        length = bytes.readLength();
        isKnown = true;
      }
      return length > 0;
    }

    @Override
    public @Nullable Object next() {
      if (!hasNext()) {
        throw new SerializationException("the checkpoint has fewer values than its type reads");
      }
      isKnown = false;
      return view.serializer().read(new Input(bytes.read(length)))[0];
    }
  }

  private Snapshots<T> snapshots() {
    ObjectType<T> type = view.type();
    return type.snapshots().orElseGet(() -> new WholeState<>(view.serializer()));
  }

  // ------------------------------------------------------------------------------------- writing

  /**
   * Writes one that holds all changes that were complete when this was called.
   *
   * @return the log address that it is of
   */
  Address write() {
    View.Snapshot<T> snapshot = view.snapshot();
    PartWriter writer = new PartWriter(view.client().calls().next());
    snapshots()
        .save(
            snapshot.state(),
            value -> {
              Output one = new Output();
              view.serializer().write(new @Nullable Object[] {value}, one);
              writer.add(one);
            });
    writer.finish();
    CheckpointEnd end =
        new CheckpointEnd(
            writer.checkpoint,
            view.type().stateName(),
            snapshot.before(),
            snapshot.resume(),
            writer.first,
            writer.behindLast,
            writer.count,
            view.client().world().wallTimeMillis());
    var unused = ends.append(RecordCodec.encode(end));
    return new Address(snapshot.before());
  }

  /** Cuts bytes into parts, and appends each as soon as it is full. */
  private final class PartWriter {
    private final CallId checkpoint;
    private Output part = new Output(PART_BYTES);
    private long first = -1;
    private long behindLast;
    private long count;

    PartWriter(CallId checkpoint) {
      this.checkpoint = checkpoint;
    }

    void add(Output value) {
      ByteBuffer bytes = value.toBuffer();
      part.writeVarLong(bytes.remaining());
      while (bytes.hasRemaining()) {
        int length = Math.min(bytes.remaining(), Math.max(1, PART_BYTES - part.size()));
        part.writeBuffer(bytes.slice(bytes.position(), length));
        bytes.position(bytes.position() + length);
        if (part.size() >= PART_BYTES) {
          append();
        }
      }
    }

    void finish() {
      part.writeVarLong(0); // no value has no bytes
      append();
    }

    private void append() {
      StreamAppend.Appended appended =
          parts.append(RecordCodec.encode(new CheckpointPart(checkpoint, part.toBuffer())));
      long place = appended.in(parts.id()).value();
      first = first < 0 ? place : first;
      behindLast = place + 1;
      count++;
      part = new Output(PART_BYTES);
    }
  }

  // ------------------------------------------------------------------------------------ trimming

  /**
   * Forgets what is older than the newest checkpoint that is no newer than {@code limit}: neither
   * can be read any more.
   *
   * @return the log address from which on the object's history is kept; empty: all of it, as there
   *     is no such checkpoint
   */
  Optional<Address> forget(long limit) {
    List<Complete> all = all();
    List<Complete> fitting = fitting(all, limit);
    if (fitting.isEmpty()) {
      return Optional.empty();
    }
    CheckpointEnd kept = fitting.getLast().end;
    List<Complete> needed =
        all.stream().filter(each -> each.end.before() >= kept.before()).toList();
    view.client().streams().open(view.stream()).trim(new StreamAddress(kept.resume()));
    parts.trim(
        new StreamAddress(
            needed.stream().mapToLong(each -> each.end.firstPart()).min().orElseThrow()));
    ends.trim(needed.stream().map(Complete::at).min(Comparator.naturalOrder()).orElseThrow());
    return Optional.of(new Address(kept.before()));
  }
}
