package corfu.store.http;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all requests of a server may hold together. A request reserves memory as its body
 * arrives and before its values are read. A sender that announces a large body and sends nothing
 * holds nothing. Small requests may use all of the budget, large ones leave a quarter of it: large
 * requests cannot shut small ones out. Thread-safe.
 */
final class MemoryBudget {

  /** A request that holds no more than this many bytes is small. */
  static final long SMALL_BYTES = 256 << 10;

  private static final int SMALL_PART = 4;

  private final ReentrantLock lock = new ReentrantLock();
  private final long total;
  private final long keptForSmall;
  private long reserved;

  /**
   * @param total the budget in bytes, 1 or more
   */
  MemoryBudget(long total) {
    this.total = total;
    this.keptForSmall = total / SMALL_PART;
  }

  /** Returns how many bytes one request can reserve if no other holds any. */
  static long largest(long total) {
    return total - total / SMALL_PART;
  }

  /** Returns the bytes that requests hold now. */
  long reserved() {
    lock.lock();
    try {
      return reserved;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the share of a request that begins; it holds nothing yet. */
  Share open() {
    return new Share();
  }

  private boolean hasRoom(long held, long more) {
    long kept = held + more <= SMALL_BYTES ? 0 : keptForSmall;
    return more <= total - kept - reserved;
  }

  /** The memory of one request; for one thread. */
  final class Share implements AutoCloseable {

    private long held;

    /**
     * Refuses if there is no room for this many further bytes now. Reserves nothing.
     *
     * @throws HttpErrorException 503 if other requests hold the memory, or 413 if it exceeds the
     *     budget
     */
    void check(long bytes) {
      lock.lock();
      try {
        if (!hasRoom(held, bytes)) {
          throw noRoom(bytes);
        }
      } finally {
        lock.unlock();
      }
    }

    /**
     * Reserves this many further bytes.
     *
     * @throws HttpErrorException as {@link #check} does; the share stays unchanged
     */
    void reserve(long bytes) {
      lock.lock();
      try {
        if (!hasRoom(held, bytes)) {
          throw noRoom(bytes);
        }
        reserved += bytes;
        held += bytes;
      } finally {
        lock.unlock();
      }
    }

    /** Returns the bytes that the share holds. */
    long held() {
      return held;
    }

    /**
     * Reserves memory until the share has this many bytes.
     *
     * @throws HttpErrorException as {@link #reserve} does
     */
    void growTo(long bytes) {
      if (bytes > held) {
        reserve(bytes - held);
      }
    }

    private HttpErrorException noRoom(long bytes) {
      if (held + bytes > largest(total)) {
        return new HttpErrorException(
            413,
            "too-large",
            "the request needs %d bytes of memory, but one request may have %d: split it"
                .formatted(held + bytes, largest(total)));
      }
      return HttpErrorException.busy("other requests hold the server's memory: try again later");
    }

    /** Releases the whole share. */
    @Override
    public void close() {
      lock.lock();
      try {
        reserved -= held;
        held = 0;
      } finally {
        lock.unlock();
      }
    }
  }
}
