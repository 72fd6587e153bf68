package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.Input;
import corfu.objects.serial.SerializationException;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of a checkpoint, one after the other, until the one that says that there are no more.
 * Holds one part at a time. For one thread.
 *
 * <p>Throws {@link NoSuchElementException} where a part is trimmed.
 */
final class CheckpointValues implements Iterator<@Nullable Object> {

  private final View<?> view;
  private final PartBytes bytes;
  private int length;
  private boolean isKnown;

  CheckpointValues(View<?> view, LogStream parts, CheckpointEnd end) {
    this.view = view;
    Iterator<StreamRead> read =
        parts.scan(new StreamAddress(end.firstPart()), new StreamAddress(end.behindParts()));
    this.bytes = new PartBytes(new Parts(parts, read, end.checkpoint(), view.witness()));
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

  /** Those of one checkpoint; others' may be between them. */
  private static final class Parts implements Iterator<ByteBuffer> {
    private final LogStream stream;
    private final Iterator<StreamRead> read;
    private final CallId checkpoint;
    private final Witness witness;
    private Optional<ByteBuffer> next = Optional.empty();

    Parts(LogStream stream, Iterator<StreamRead> read, CallId checkpoint, Witness witness) {
      this.stream = stream;
      this.read = read;
      this.checkpoint = checkpoint;
      this.witness = witness;
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
          witness.fetched();
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
  }
}
