package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.transport.internal.Standstill;
import corfu.world.Loop;
import corfu.world.World;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When calls fail by their deadlines, on a clock that a test moves. */
class DeadlineTimerTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final HandClock clock = new HandClock();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<Long> sweeps = new ArrayList<>();
  private final DeadlineTimer sweep =
      new DeadlineTimer(
          clock,
          channel.eventLoop(),
          now -> {
            sweeps.add(now / MILLI);
            return Long.MAX_VALUE;
          });

  DeadlineTimerTest() {
    channel.freezeTime();
  }

  @AfterEach
  void close() {
    channel.close();
  }

  /** Lets the time pass, and runs the loop after each millisecond. */
  private void pass(long millis) {
    for (long i = 0; i < millis; i++) {
      clock.now += MILLI;
      channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  /** Lets the time pass without the loop, which runs only at its end. */
  private void standStill(long millis) {
    clock.now += millis * MILLI;
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void aCallIsLateWhenItsDeadlineHasCome() {
    sweep.watch(300 * MILLI);
    pass(299);
    assertThat(sweeps).isEmpty();

    pass(1);

    assertThat(sweeps).containsExactly(300L);
  }

  @Test
  void aBusyMachineIsNoReasonToWaitLonger() {
    sweep.watch(300 * MILLI);
    pass(290);

    standStill(100);

    assertThat(sweeps).containsExactly(390L);
  }

  @Test
  void afterAStandstillThereIsAMomentToReadWhatHasComeMeanwhile() {
    long moment = Standstill.MOMENT_NANOS / MILLI;
    sweep.watch(300 * MILLI);
    pass(290);

    standStill(3_000);

    assertThat(sweeps).isEmpty();
    pass(moment - 1);
    assertThat(sweeps).isEmpty();
    pass(1);
    assertThat(sweeps).containsExactly(3_290 + moment);
  }

  @Test
  void whoAlwaysStandsStillEndsCallsAllTheSame() {
    sweep.watch(300 * MILLI);

    standStill(3_000);
    standStill(3_000);

    assertThat(sweeps).containsExactly(6_000L);
  }

  /** A clock that a test moves. */
  private static final class HandClock implements World {
    private long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long wallTimeMillis() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Thread start(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Loop loop(String name) {
      throw new UnsupportedOperationException();
    }
  }
}
