package corfu.fuse.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import corfu.fuse.linux.FileCalls;
import corfu.fuse.linux.SystemCalls;
import corfu.fuse.protocol.FileName;
import java.lang.foreign.MemorySegment;

/**
 * An open directory. It keeps the entries that the kernel gave at once, so a short reply loses
 * none. Not thread-safe: callers synchronize on it.
 */
final class DirectoryHandle {

  private static final int BUFFER_BYTES = 32_768;
  private static final int NAME_OFFSET = 19;

  /** Receives one entry. */
  @FunctionalInterface
  interface Visitor {
    /** Returns whether the entry fits into the reply. */
    boolean visit(FileName name, long inode, int type, long nextOffset);
  }

  private final int fd;
  private final MemorySegment buffer = SystemCalls.map(BUFFER_BYTES);

  /** The place of the next entry in the buffer, and the end of its entries. */
  private long position;

  private long end;

  /** The offset of the next entry in the directory. */
  private long nextOffset;

  private boolean closed;

  DirectoryHandle(int fd) {
    this.fd = fd;
  }

  int fd() {
    return fd;
  }

  /**
   * Visits the entries behind an offset, until one fails to fit.
   *
   * @return 0, or a negative error number
   */
  long read(long offset, Visitor visitor) {
    if (closed) {
      return 0;
    }
    if (offset != nextOffset) {
      position = 0;
      end = 0;
      long sought = FileCalls.seek(fd, offset, 0);
      if (sought < 0) {
        return sought;
      }
      nextOffset = offset;
    }
    while (true) {
      if (position == end) {
        long read = FileCalls.readDirectory(fd, buffer, BUFFER_BYTES);
        if (read <= 0) {
          return read;
        }
        position = 0;
        end = read;
      }
      long next = buffer.get(JAVA_LONG, position + 8);
      int length = Short.toUnsignedInt(buffer.get(JAVA_SHORT, position + 16));
      int type = buffer.get(JAVA_BYTE, position + 18) << 12;
      if (!visitor.visit(name(), buffer.get(JAVA_LONG, position), type, next)) {
        return 0;
      }
      position += length;
      nextOffset = next;
    }
  }

  private FileName name() {
    long start = position + NAME_OFFSET;
    int length = 0;
    while (buffer.get(JAVA_BYTE, start + length) != 0) {
      length++;
    }
    byte[] name = new byte[length];
    MemorySegment.copy(buffer, JAVA_BYTE, start, name, 0, length);
    return FileName.of(name);
  }

  void close() {
    closed = true;
    int unusedBuffer = SystemCalls.unmap(buffer);
    int unused = SystemCalls.close(fd);
  }
}
