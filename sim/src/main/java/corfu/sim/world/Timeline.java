package corfu.sim.world;

import java.util.PriorityQueue;

/**
 * Simulated time, and what happens in it: events, one after the other, on the one thread that calls
 * {@link #step}. Events of one instant happen in the order in which they were asked for.
 */
public final class Timeline {

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long asked;
  private long happened;

  /** Something that will happen. */
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

  /** Nanoseconds since the simulation began. */
  public long nowNanos() {
    return nowNanos;
  }

  /** How many events have happened. */
  public long happened() {
    return happened;
  }

  /**
   * Something is to happen.
   *
   * @param delayNanos from now, 0 or more
   */
  public Event after(long delayNanos, Runnable what) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("nothing can happen " + -delayNanos + " ns ago");
    }
    Event event = new Event(Math.addExact(nowNanos, delayNanos), asked++, what);
    events.add(event);
    return event;
  }

  /** Lets the next thing happen; false if nothing is left. */
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
