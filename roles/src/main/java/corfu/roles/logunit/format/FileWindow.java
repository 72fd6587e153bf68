package corfu.roles.logunit.format;

import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A window through which a file is read piece by piece. */
public final class FileWindow {
  private static final int BYTES = 1 << 20;

  private final DiskFile file;
  private final long size;
  private ByteBuffer bytes = ByteBuffer.allocate(0);
  private long start;
  private long contentEnd = -1;

  public FileWindow(DiskFile file) {
    this.file = file;
    this.size = file.size();
  }

  public long size() {
    return size;
  }

  public boolean reaches(long offset) {
    return offset <= size;
  }

  /**
   * Returns these bytes, from position 0 of the buffer on, or empty if the file ends before. Valid
   * until the next call.
   */
  public Optional<ByteBuffer> at(long offset, long length) {
    if (offset + length > size || length > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    if (offset < start || offset + length > start + bytes.limit()) {
      int wanted = (int) Math.min(Math.max(length, BYTES), size - offset);
      bytes = ByteBuffer.allocate(wanted).order(ByteOrder.LITTLE_ENDIAN);
      bytes.limit(file.read(bytes, offset));
      start = offset;
      if (bytes.limit() < length) {
        return Optional.empty();
      }
    }
    return Optional.of(
        bytes.slice((int) (offset - start), (int) length).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns the offset behind the last byte that is not zero; at least {@code from}. */
  public long endOfContent(long from) {
    if (contentEnd >= 0) {
      return Math.max(contentEnd, from);
    }
    contentEnd = from;
    for (long at = from; at < size; at += BYTES) {
      int length = (int) Math.min(BYTES, size - at);
      ByteBuffer piece = at(at, length).orElseThrow();
      for (int i = length - 1; i >= 0; i--) {
        if (piece.get(i) != 0) {
          contentEnd = at + i + 1;
          break;
        }
      }
    }
    return contentEnd;
  }
}
