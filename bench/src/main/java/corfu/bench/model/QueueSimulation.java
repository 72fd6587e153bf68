package corfu.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Stations and disks that serve jobs in simulated time. Times are nanoseconds. The same jobs give
 * the same result. Not thread-safe.
 */
final class QueueSimulation {

  static final double NANOS_A_SECOND = 1e9;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private double now;
  private long scheduled;

  private record Event(double at, long number, Runnable then) {}

  double now() {
    return now;
  }

  /** Returns the number of events so far. */
  long scheduled() {
    return scheduled;
  }

  /** Does something after a delay. */
  void after(double delay, Runnable then) {
    events.add(new Event(now + delay, scheduled++, then));
  }

  /** Runs all events up to this time. */
  void runUntil(double end) {
    while (!events.isEmpty() && events.peek().at <= end) {
      Event next = events.remove();
      now = next.at;
      next.then.run();
    }
  }

  /** A machine with a processor, both ways of a network card, and a disk. */
  final class Machine {
    final Station processor = new Station();
    final Station in = new Station();
    final Station out = new Station();
    final GroupDisk disk = new GroupDisk();
  }

  /** Does one job after the other, in the order of arrival. */
  final class Station {
    private double freeAt;

    void serve(double nanos, Runnable then) {
      freeAt = Math.max(now, freeAt) + nanos;
      after(freeAt - now, then);
    }
  }

  /** A disk whose next sync is shared by all writes that arrive during a sync. */
  final class GroupDisk {
    private List<Runnable> gathered = new ArrayList<>();
    private double gatheredNanos;
    private boolean isBusy;

    /**
     * Stores something.
     *
     * @param syncNanos the time of the shared sync
     * @param nanos the time that this write adds to it
     */
    void commit(double syncNanos, double nanos, Runnable then) {
      gathered.add(then);
      gatheredNanos += nanos;
      if (!isBusy) {
        sync(syncNanos);
      }
    }

    private void sync(double syncNanos) {
      isBusy = true;
      List<Runnable> group = gathered;
      double nanos = syncNanos + gatheredNanos;
      gathered = new ArrayList<>();
      gatheredNanos = 0;
      after(
          nanos,
          () -> {
            isBusy = false;
            if (!gathered.isEmpty()) {
              sync(syncNanos);
            }
            group.forEach(Runnable::run);
          });
    }
  }
}
