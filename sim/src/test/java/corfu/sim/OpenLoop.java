package corfu.sim;

import corfu.runtime.Corfu;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Appends that a client of a scenario offers at a steady rate, however long earlier ones take, and
 * their results. If the client must wait for room, it offers the overdue appends as soon as there
 * is some.
 */
final class OpenLoop {

  private static final long NANOS_A_SECOND = 1_000_000_000L;
  private static final long TICK_NANOS = 1_000_000;

  private final Simulator simulator;
  private final int payloadBytes;
  private final List<Done> done = new ArrayList<>();
  private int failures;
  private long underWay;
  private long mostUnderWay;

  /**
   * An acknowledged append.
   *
   * @param atNanos the time of the acknowledgement since the simulation began
   * @param tookNanos the time since the client began it
   */
  record Done(long address, long atNanos, long tookNanos) {}

  OpenLoop(Simulator simulator, int payloadBytes) {
    this.simulator = simulator;
    this.payloadBytes = payloadBytes;
  }

  /** Offers appends at this rate for this time, and waits until all of them have ended. */
  void run(Corfu corfu, SimWorld world, double perSecond, Duration time) {
    long begin = simulator.timeline.nowNanos();
    long offered = 0;
    for (long now = begin; now - begin < time.toNanos(); now = simulator.timeline.nowNanos()) {
      double due = perSecond * (now - begin) / NANOS_A_SECOND;
      while (offered < due && simulator.timeline.nowNanos() - begin < time.toNanos()) {
        offer(corfu);
        offered++;
      }
      world.pause(Duration.ofNanos(TICK_NANOS));
    }
    while (underWay > 0) {
      world.pause(Duration.ofNanos(TICK_NANOS));
    }
  }

  private void offer(Corfu corfu) {
    long since = simulator.timeline.nowNanos();
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    var _ =
        corfu
            .log()
            .appendAsync(ByteBuffer.allocate(payloadBytes))
            .whenComplete(
                (address, failure) -> {
                  underWay--;
                  long now = simulator.timeline.nowNanos();
                  if (failure == null) {
                    done.add(new Done(address.value(), now, now - since));
                  } else {
                    failures++;
                  }
                });
  }

  /** Returns the acknowledged appends per second between these simulated times. */
  double perSecond(long fromNanos, long toNanos) {
    long count = done.stream().filter(d -> d.atNanos >= fromNanos && d.atNanos < toNanos).count();
    return (double) count * NANOS_A_SECOND / (toNanos - fromNanos);
  }

  List<Done> done() {
    return List.copyOf(done);
  }

  int failures() {
    return failures;
  }

  /** Returns the maximum number of in-flight appends. */
  long mostUnderWay() {
    return mostUnderWay;
  }

  long longestNanos() {
    return done.stream().mapToLong(Done::tookNanos).max().orElse(0);
  }
}
