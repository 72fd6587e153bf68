package corfu.bytes.internal.record;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The changes of a batch, with their data, before they are encoded.
 *
 * @param changes the changes, in their order
 */
public record BatchData(List<Change> changes) {

  public BatchData {
    changes = List.copyOf(changes);
  }

  /** Returns the number of the changes' bytes of data. */
  public long bytes() {
    long bytes = 0;
    for (Change change : changes) {
      bytes += change.bytes();
    }
    return bytes;
  }

  /** A change. Data is from a buffer's position to its limit, and is not changed. */
  public sealed interface Change {

    /** Returns the number of bytes of data. */
    default int bytes() {
      return switch (this) {
        case Write write -> write.data.remaining();
        case Move move -> move.data.remaining();
        case Punch none -> 0;
        case Resize none -> 0;
      };
    }

    /** Bytes replace those at an offset. */
    record Write(long offset, ByteBuffer data) implements Change {}

    /** A range reads as zeros. */
    record Punch(long offset, long length) implements Change {}

    /** The array gets this size. */
    record Resize(long size) implements Change {}

    /** Bytes are stored again; see {@link BytesRecord.Move}. */
    record Move(long offset, ByteBuffer data, long oldAddress, long oldPosition)
        implements Change {}
  }
}
