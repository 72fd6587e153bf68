package corfu.objects.internal.checkpoint;

import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.value.LogValue;
import corfu.objects.internal.value.LogValues;
import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.InLog;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.protocol.StreamAddress;
import corfu.runtime.Deadline;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values of a checkpoint, one after the other, until the one that says that there are no more.
 * Holds one part at a time. For one thread.
 *
 * <p>Throws {@link NoSuchElementException} where a part is trimmed.
 */
final class CheckpointValues implements Iterator<@Nullable Object> {

  private final ObjectContext<?> object;
  private final LogValues values;
  private final CheckpointEnd end;
  private final Parts read;
  private final PartBytes bytes;
  private int length;
  private boolean isKnown;

  CheckpointValues(
      ObjectContext<?> object,
      LogValues values,
      LogStream parts,
      CheckpointEnd end,
      Runnable fetched) {
    this.object = object;
    this.values = values;
    this.end = end;
    Iterator<StreamRead> scan =
        parts.scan(new StreamAddress(end.firstPart()), new StreamAddress(end.behindParts()));
    this.read = new Parts(parts, scan, end.checkpoint(), fetched, object.client()::deadline);
    this.bytes = new PartBytes(read);
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
    ValueInput value = new ValueInput(bytes.read(length));
    List<PartBytes.Piece> pieces = bytes.pieces();
    return object.serializer()
        .read(value, (offset, content) -> Optional.of(at(pieces, offset, content)))[0];
  }

  /** Goes through all values, and keeps the bytes of those that are wanted. */
  void find(Set<ContentDigest> wanted, Map<ContentDigest, ByteBuffer> found) {
    while (found.size() < wanted.size() && hasNext()) {
      isKnown = false;
      ByteBuffer value = bytes.read(length);
      var unused =
          object
              .serializer()
              .read(
                  new ValueInput(value),
                  (offset, content) -> {
                    if (wanted.contains(content)) {
                      found.computeIfAbsent(content, one -> copyOf(value, offset, one.length()));
                    }
                    return Optional.of(InLog.of(content));
                  });
    }
  }

  private static ByteBuffer copyOf(ByteBuffer value, int offset, int length) {
    byte[] copy = new byte[length];
    value.get(value.position() + offset, copy);
    return ByteBuffer.wrap(copy);
  }

  /** A value that stays there: in the parts that the value is in of which it is one. */
  private InLog<?> at(List<PartBytes.Piece> pieces, int offset, ContentDigest content) {
    int first = 0;
    int from = offset;
    while (from >= pieces.get(first).length() && first < pieces.size() - 1) {
      from -= pieces.get(first).length();
      first++;
    }
    int last = first;
    int reached = pieces.get(first).length() - from;
    while (reached < content.length()) {
      last++;
      reached += pieces.get(last).length();
    }
    long[] more = new long[last - first];
    for (int i = 0; i < more.length; i++) {
      more[i] = read.addressOf(pieces.get(first + 1 + i).part());
    }
    PartBytes.Piece begins = pieces.get(first);
    return new LogValue.InCheckpoint<>(
        values, content, end.before(), read.addressOf(begins.part()), more, begins.offset() + from);
  }

  /** Those of one checkpoint; others' may be between them. */
  private static final class Parts implements Iterator<ByteBuffer> {
    private final LogStream stream;
    private final Iterator<StreamRead> read;
    private final CallId checkpoint;
    private final Runnable fetched;
    private final Supplier<Deadline> deadlines;
    private final List<Long> addresses = new ArrayList<>(); // of those that were given
    private Optional<ByteBuffer> next = Optional.empty();
    private long nextAddress;

    Parts(
        LogStream stream,
        Iterator<StreamRead> read,
        CallId checkpoint,
        Runnable fetched,
        Supplier<Deadline> deadlines) {
      this.stream = stream;
      this.read = read;
      this.checkpoint = checkpoint;
      this.fetched = fetched;
      this.deadlines = deadlines;
    }

    @Override
    public boolean hasNext() {
      while (next.isEmpty() && read.hasNext()) {
        StreamRead one = read.next();
        if (one instanceof StreamRead.Trimmed) {
          return false; // what is left begins in the middle
        }
        if (one instanceof StreamRead.Entry entry
            && RecordCodec.decode(stream.id(), entry.payload()) instanceof CheckpointPart part
            && part.checkpoint().equals(checkpoint)) {
          next = Optional.of(part.bytes());
          fetched.run();
          if (part.bytes().remaining() >= PartBytes.MOST) {
            deadlines.get().renew();
          }
          nextAddress = entry.address().value();
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
      addresses.add(nextAddress);
      return part;
    }

    /** Of the how manieth part, from 0. */
    long addressOf(int part) {
      return addresses.get(part);
    }
  }
}
