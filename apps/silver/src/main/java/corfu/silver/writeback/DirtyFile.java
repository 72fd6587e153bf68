package corfu.silver.writeback;

import corfu.fuse.linux.Errno;
import corfu.silver.Caller;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file that wait for the log. Thread-safe.
 *
 * <pre>
 *   writes -> dirty ranges -> sealed chunks, in order -> chunks in flight -> log
 * </pre>
 *
 * A chunk does not leave before an earlier one that overlaps it. Writes at offsets and appends
 * never wait at the same time, because the place of an append is not known before the log orders
 * it.
 */
final class DirtyFile {

  private final int maxEntryBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();
  private final DirtyRanges dirty;
  private final ByteArrayOutputStream tail = new ByteArrayOutputStream(0); // bytes to append
  private final ArrayDeque<Chunk> waiting = new ArrayDeque<>();
  private final TreeMap<Long, Chunk.Range> inFlight = new TreeMap<>(); // they do not overlap
  private boolean appends; // an append is in flight
  private final TreeSet<Long> unfinished = new TreeSet<>(); // the numbers of sealed chunks
  private long lastNumber;
  private long sealedCost;
  private @Nullable Caller author;
  private long dirtySinceNanos;

  private final Map<Long, Long> seenErrors = new HashMap<>(); // by handle
  private long errors;
  private boolean isLastErrorSeen = true;
  private Errno lastError = Errno.EIO;

  DirtyFile(int maxEntryBytes) {
    this.maxEntryBytes = maxEntryBytes;
    this.dirty = new DirtyRanges(maxEntryBytes);
  }

  // ------------------------------------------------------------------------------------- handles

  /** An error that no handle has seen yet is seen by the next one that is opened, too. */
  void open(long handle) {
    lock.lock();
    try {
      seenErrors.put(handle, isLastErrorSeen ? errors : errors - 1);
    } finally {
      lock.unlock();
    }
  }

  void close(long handle) {
    lock.lock();
    try {
      seenErrors.remove(handle);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the last error if the handle has not seen it yet. */
  Optional<Errno> newError(long handle) {
    lock.lock();
    try {
      Long seen = seenErrors.get(handle);
      if (seen == null || seen >= errors) {
        return Optional.empty();
      }
      seenErrors.put(handle, errors);
      isLastErrorSeen = true;
      return Optional.of(lastError);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of chunks that have failed. */
  long errors() {
    lock.lock();
    try {
      return errors;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether nobody needs this any more. */
  boolean isUnused() {
    lock.lock();
    try {
      return seenErrors.isEmpty() && isClean();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClean() {
    return dirty.isEmpty() && tail.size() == 0 && unfinished.isEmpty();
  }

  // -------------------------------------------------------------------------------------- writes

  /** Writes at an offset. Returns by how many bytes of memory the file has grown. */
  long write(long offset, ByteBuffer data, Caller caller, long nowNanos) {
    lock.lock();
    try {
      long before = cost();
      int length = data.remaining();
      begins(caller, nowNanos);
      dirty.write(offset, data);
      dirty.takeFull(offset, length).forEach(this::seal);
      return cost() - before;
    } finally {
      lock.unlock();
    }
  }

  /** Writes behind the last byte. Returns by how many bytes of memory the file has grown. */
  long append(ByteBuffer data, Caller caller, long nowNanos) {
    lock.lock();
    try {
      long before = cost();
      begins(caller, nowNanos);
      if (tail.size() + data.remaining() > maxEntryBytes) {
        sealTail();
      }
      byte[] bytes = new byte[data.remaining()];
      data.duplicate().get(bytes);
      tail.writeBytes(bytes);
      return cost() - before;
    } finally {
      lock.unlock();
    }
  }

  private void begins(Caller caller, long nowNanos) {
    if (dirty.isEmpty() && tail.size() == 0) {
      dirtySinceNanos = nowNanos;
    }
    author = caller;
  }

  /** Returns whether bytes wait of which the place is not known. */
  boolean hasAppends() {
    lock.lock();
    try {
      return tail.size() > 0 || appends || waiting.peek() instanceof Chunk.Tail;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether bytes at offsets wait. */
  boolean hasWrites() {
    lock.lock();
    try {
      return !dirty.isEmpty() || !inFlight.isEmpty() || waiting.peek() instanceof Chunk.Range;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the oldest byte that is in no chunk yet is older than that. */
  boolean isOlderThan(long ageNanos, long nowNanos) {
    lock.lock();
    try {
      return !(dirty.isEmpty() && tail.size() == 0) && nowNanos - dirtySinceNanos >= ageNanos;
    } finally {
      lock.unlock();
    }
  }

  private long cost() {
    return dirty.cost() + tail.size() + sealedCost;
  }

  // ------------------------------------------------------------------------------------- sealing

  private void seal(DirtyRanges.Taken range) {
    sealed(new Chunk.Range(++lastNumber, range.offset(), range.bytes(), author()));
  }

  private void sealTail() {
    if (tail.size() > 0) {
      sealed(new Chunk.Tail(++lastNumber, ByteBuffer.wrap(tail.toByteArray()), author()));
      tail.reset();
    }
  }

  private void sealed(Chunk chunk) {
    waiting.add(chunk);
    unfinished.add(chunk.number());
    sealedCost += chunk.cost();
  }

  private Caller author() {
    if (author == null) {
      throw new IllegalStateException("bytes without an author; please report this");
    }
    return author;
  }

  /**
   * Makes chunks of all that waits. Returns by how many bytes of memory the file has grown, mostly
   * a negative number.
   */
  long sealAll() {
    lock.lock();
    try {
      long before = cost();
      dirty.takeAll().forEach(this::seal);
      sealTail();
      return cost() - before;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the bytes at or behind an offset that no chunk has yet. Returns the growth, as above. */
  long truncate(long size) {
    lock.lock();
    try {
      long before = cost();
      dirty.truncate(size);
      if (size == 0) {
        tail.reset();
      }
      return cost() - before;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of the last chunk. */
  long lastNumber() {
    lock.lock();
    try {
      return lastNumber;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the chunks up to a number have ended. */
  void awaitUpTo(long number) {
    lock.lock();
    try {
      while (!unfinished.isEmpty() && unfinished.first() <= number) {
        progress.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---------------------------------------------------------------------------------- submitting

  /** Takes the next chunk that may leave. */
  Optional<Chunk> takeNext() {
    lock.lock();
    try {
      Chunk next = waiting.peek();
      if (next == null || appends || !mayLeave(next)) {
        return Optional.empty();
      }
      waiting.remove();
      switch (next) {
        case Chunk.Range range -> inFlight.put(range.offset(), range);
        case Chunk.Tail last -> appends = true;
      }
      return Optional.of(next);
    } finally {
      lock.unlock();
    }
  }

  private boolean mayLeave(Chunk chunk) {
    if (!(chunk instanceof Chunk.Range range)) {
      return inFlight.isEmpty();
    }
    Map.Entry<Long, Chunk.Range> before = inFlight.lowerEntry(range.end());
    return before == null || before.getValue().end() <= range.offset();
  }

  /**
   * Tells that a chunk is in the log, or has failed. Then those that wait behind it fail, too: each
   * would take as long if the log is out of reach. Returns the memory that is given back.
   *
   * @param error why it has failed
   * @param release receives the memory that is given back, before a thread that awaits the chunk
   *     goes on
   */
  long ended(Chunk chunk, Optional<Errno> error, LongConsumer release) {
    lock.lock();
    try {
      switch (chunk) {
        case Chunk.Range range -> inFlight.remove(range.offset());
        case Chunk.Tail last -> appends = false;
      }
      long freed = forget(chunk);
      if (error.isPresent()) {
        errors++;
        lastError = error.get();
        isLastErrorSeen = false;
        while (!waiting.isEmpty()) {
          freed += forget(waiting.remove());
        }
      }
      release.accept(freed);
      progress.signalAll();
      return freed;
    } finally {
      lock.unlock();
    }
  }

  private long forget(Chunk chunk) {
    unfinished.remove(chunk.number());
    sealedCost -= chunk.cost();
    return chunk.cost();
  }

  // --------------------------------------------------------------------------------------- reads

  /** Returns the bytes of a range that wait at offsets. */
  Overlay overlay(long offset, int length) {
    Overlay overlay = new Overlay(offset, length);
    lock.lock();
    try {
      inFlight.values().forEach(chunk -> overlay.put(chunk.offset(), chunk.bytes()));
      for (Chunk chunk : waiting) {
        if (chunk instanceof Chunk.Range range) {
          overlay.put(range.offset(), range.bytes());
        }
      }
      dirty.copyTo(overlay);
      overlay.endsAt(end());
    } finally {
      lock.unlock();
    }
    return overlay;
  }

  private long end() {
    long end = dirty.end();
    for (Chunk.Range chunk : inFlight.values()) {
      end = Math.max(end, chunk.end());
    }
    for (Chunk chunk : waiting) {
      if (chunk instanceof Chunk.Range range) {
        end = Math.max(end, range.end());
      }
    }
    return end;
  }

  /**
   * The attributes of bytes that wait.
   *
   * @param end the offset behind the last byte
   * @param author the user and time of the last write, or empty if nothing waits
   */
  record Pending(long end, Optional<Caller> author) {}

  /** Returns the attributes of what waits. */
  Pending pending() {
    lock.lock();
    try {
      return new Pending(end(), isClean() ? Optional.empty() : Optional.ofNullable(author));
    } finally {
      lock.unlock();
    }
  }
}
