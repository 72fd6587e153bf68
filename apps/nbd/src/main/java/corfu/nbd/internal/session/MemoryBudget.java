package corfu.nbd.internal.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes that requests of all connections may hold. Reservations that do not fit wait in their
 * order, so that large requests get their turn. Thread-safe.
 */
public final class MemoryBudget {

  private final ArrayDeque<Reservation> waiting = new ArrayDeque<>();
  private long free;

  /** Creates a budget of so many bytes. */
  public MemoryBudget(long bytes) {
    this.free = bytes;
  }

  /** A number of bytes that waits for its turn. */
  public static final class Reservation {

    private final long bytes;
    private final Runnable granted;

    private Reservation(long bytes, Runnable granted) {
      this.bytes = bytes;
      this.granted = granted;
    }
  }

  /** Returns whether the bytes are reserved now. They are not if others wait. */
  public synchronized boolean tryReserve(long bytes) {
    if (!waiting.isEmpty() || bytes > free) {
      return false;
    }
    free -= bytes;
    return true;
  }

  /**
   * Reserves bytes as soon as there is room.
   *
   * @param granted called once the bytes are reserved, on any thread, possibly before the return
   */
  public Reservation reserve(long bytes, Runnable granted) {
    Reservation reservation = new Reservation(bytes, granted);
    synchronized (this) {
      waiting.add(reservation);
    }
    release(0);
    return reservation;
  }

  /** Returns whether the reservation waited still, and takes it back. */
  public boolean cancel(Reservation reservation) {
    boolean waited;
    synchronized (this) {
      waited = waiting.remove(reservation);
    }
    if (waited) {
      release(0); // those behind it may fit
    }
    return waited;
  }

  /** Gives bytes back. */
  public void release(long bytes) {
    List<Reservation> granted = List.of();
    synchronized (this) {
      free += bytes;
      while (!waiting.isEmpty() && waiting.getFirst().bytes <= free) {
        if (granted.isEmpty()) {
          granted = new ArrayList<>();
        }
        Reservation next = waiting.removeFirst();
        free -= next.bytes;
        granted.add(next);
      }
    }
    for (Reservation next : granted) {
      next.granted.run();
    }
  }

  /** Returns whether some reservation waits. */
  public synchronized boolean isShort() {
    return !waiting.isEmpty();
  }

  /** Returns the bytes that are not reserved. */
  public synchronized long free() {
    return free;
  }
}
