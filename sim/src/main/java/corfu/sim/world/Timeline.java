package corfu.sim.world;

import java.util.PriorityQueue;

/**
 * Simulated time and its events. Events happen one after the other, on the thread that calls {@link
 * #step}. Events of one instant happen in the order of their requests.
 */
public final class Timeline {

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long asked;
  private long happened;

  /** A future event. */
  public static final class Event implements Comparable<Event> {
    private final long atNanos;
    private final long number;
    private final Runnable what;
    private boolean cancelled;

    private Event(long atNanos, long number, Runnable what) {
      this.atNanos = atNanos;
      this.number = number;
      this.what = what;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** Returns the nanoseconds since the simulation began. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Returns how many events have happened. */
  public long happened() {
    return happened;
  }

  /**
   * Schedules an event.
   *
   * @param delayNanos the delay from now in nanoseconds, 0 or more
   */
  public Event after(long delayNanos, Runnable what) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("nothing can happen " + -delayNanos + " ns ago");
    }
    Event event = new Event(Math.addExact(nowNanos, delayNanos), asked++, what);
    events.add(event);
    return event;
  }

  /** Runs the next event. Returns false if none is left. */
  public boolean step() {
    while (true) {
      Event next = events.poll();
      if (next == null) {
        return false;
      }
      if (!next.cancelled) {
        nowNanos = next.atNanos;
        happened++;
        next.what.run();
        return true;
      }
    }
  }
}
