package corfu.transport.internal;

import corfu.world.World;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounds of requests in flight to one server: their number and their total size in bytes. If
 * there is no room, a sender waits behind earlier senders. One request is always let through,
 * whatever its size.
 *
 * <pre>
 *   63           40 39                                  0
 *   +--------------+-------------------------------------+
 *   |   requests   |                bytes                |   taken, in one word so that nobody needs a lock
 *   +--------------+-------------------------------------+
 * </pre>
 *
 * Thread-safe.
 */
public final class Room {

  private static final int BYTES_BITS = 40;
  private static final long BYTES_MASK = (1L << BYTES_BITS) - 1;

  private final World world;
  private final long maxBytes;
  private final int maxRequests;

  private final AtomicLong taken = new AtomicLong();

  /** The number of senders in line, or about to be. Later senders must not overtake them. */
  private final AtomicLong waiting = new AtomicLong();

  private final ReentrantLock line = new ReentrantLock();
  private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();

  public Room(World world, long maxBytes, int maxRequests) {
    this.world = world;
    this.maxBytes = maxBytes;
    this.maxRequests = maxRequests;
  }

  /** Takes room for a request. Returns false if there is none now. */
  public boolean tryTake(int bytes) {
    return waiting.get() == 0 && fits(bytes);
  }

  /**
   * Takes room for a request. Waits for it until {@code deadlineNanos} of the world's clock, and
   * returns false if there was none by then.
   */
  public boolean take(int bytes, long deadlineNanos) {
    return tryTake(bytes) || takeInLine(bytes, deadlineNanos);
  }

  /** Frees room that {@link #take} or {@link #tryTake} took. */
  public void giveBack(int bytes) {
    taken.addAndGet(-cost(bytes));
    if (waiting.get() > 0) {
      admit();
    }
  }

  /** Returns whether no request is in flight. */
  public boolean isEmpty() {
    return taken.get() == 0;
  }

  /** Returns the number of bytes in flight. */
  public long bytes() {
    return taken.get() & BYTES_MASK;
  }

  private boolean takeInLine(int bytes, long deadlineNanos) {
    Waiter waiter = new Waiter(bytes, new CompletableFuture<>());
    waiting.incrementAndGet(); // before the next check: later frees of room then see this sender
    try {
      line.lock();
      try {
        waiters.add(waiter);
      } finally {
        line.unlock();
      }
      admit();
      if (!waiter.admitted.isDone()) {
        long delay = Math.max(0, deadlineNanos - world.nanoTime());
        World.Timer timer = world.after(delay, () -> waiter.admitted.complete(false));
        waiter.admitted.join();
        timer.cancel();
      }
      return waiter.admitted.join();
    } finally {
      line.lock();
      try {
        waiters.remove(waiter);
      } finally {
        line.unlock();
      }
      waiting.decrementAndGet();
      admit(); // a large request that gave up may have kept small ones waiting
    }
  }

  private void admit() {
    line.lock();
    try {
      for (Iterator<Waiter> first = waiters.iterator(); first.hasNext(); ) {
        Waiter waiter = first.next();
        if (!waiter.admitted.isDone()) {
          if (!fits(waiter.bytes)) {
            return;
          }
          if (!waiter.admitted.complete(true)) {
            taken.addAndGet(-cost(waiter.bytes)); // its deadline came first
          }
        }
        first.remove();
      }
    } finally {
      line.unlock();
    }
  }

  private boolean fits(int bytes) {
    while (true) {
      long before = taken.get();
      long requests = before >>> BYTES_BITS;
      if (requests > 0 && (requests >= maxRequests || (before & BYTES_MASK) + bytes > maxBytes)) {
        return false;
      }
      if (taken.compareAndSet(before, before + cost(bytes))) {
        return true;
      }
    }
  }

  private static long cost(int bytes) {
    return (1L << BYTES_BITS) + bytes;
  }

  /** A sender in line; equal only to itself. */
  private static final class Waiter {
    private final int bytes;
    private final CompletableFuture<Boolean> admitted;

    private Waiter(int bytes, CompletableFuture<Boolean> admitted) {
      this.bytes = bytes;
      this.admitted = admitted;
    }
  }
}
