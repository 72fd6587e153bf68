package corfu.store.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * A request's body as it arrives. It reserves memory for each piece before it reads the piece: the
 * decoded bytes stay in memory until the request is done. Not thread-safe.
 */
final class RequestBody extends InputStream {

  /**
   * The number of bytes of a body that cost four times their size: the text of one value, its
   * growing buffer and its decoded bytes exist at the same time.
   */
  private static final long BUFFERED_BYTES = 2 << 20;

  private final InputStream from;
  private final MemoryBudget.Share memory;
  private final Transfer transfer;
  private final int maxBytes;
  private final byte[] one = new byte[1];
  private long read;

  /**
   * @param maxBytes the largest size of the body in bytes
   */
  RequestBody(InputStream from, MemoryBudget.Share memory, Transfer transfer, int maxBytes) {
    this.from = from;
    this.memory = memory;
    this.transfer = transfer;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the memory that a body of this length needs: its values, and their copy in the entries
   * that are appended.
   */
  static long cost(long bytes) {
    return 2 * bytes + 2 * Math.min(bytes, BUFFERED_BYTES);
  }

  /** Returns the size of the longest body that fits this memory. */
  static int longest(long memory) {
    long bytes = memory <= cost(BUFFERED_BYTES) ? memory / 4 : memory / 2 - BUFFERED_BYTES;
    return (int) Math.min(bytes, Integer.MAX_VALUE - 8);
  }

  /**
   * Refuses a body, before it is read, that is too long or has no memory now.
   *
   * @param length the length that the client announces, in bytes
   */
  void announce(long length) {
    if (length > maxBytes) {
      throw tooLarge();
    }
    memory.check(cost(length));
  }

  private HttpErrorException tooLarge() {
    return new HttpErrorException(
        413, "too-large", "the body of this request may have %d bytes".formatted(maxBytes));
  }

  @Override
  public int read() throws IOException {
    int count = read(one, 0, 1);
    return count < 0 ? count : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    int count = from.read(to, offset, length);
    if (count > 0) {
      transfer.moved(count);
      if (read + count > maxBytes) {
        throw tooLarge();
      }
      memory.reserve(cost(read + count) - cost(read));
      read += count;
    }
    return count;
  }
}
