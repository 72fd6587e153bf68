package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import corfu.world.RealWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineLockTest {

  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(50);

  private final RealWorld world = new RealWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  private CompletableFuture<Boolean> tried(DeadlineLock lock, Duration time) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread unused =
        world.start("waiter", () -> result.complete(lock.tryLock(Deadline.in(world, time))));
    return result;
  }

  @Test
  void whoWaitsGivesUpAtItsOwnDeadline() {
    DeadlineLock lock = new DeadlineLock("a thing is being done");
    lock.lock(Deadline.in(world, LONG));

    assertThat(tried(lock, SHORT).join()).isFalse();
  }

  @Test
  void whoWaitsIsToldWhatTheHolderDoes() {
    DeadlineLock lock = new DeadlineLock("a thing is being done");
    CompletableFuture<Void> isHeld = new CompletableFuture<>();
    Thread unused =
        world.start(
            "holder",
            () -> {
              lock.lock(Deadline.in(world, LONG));
              isHeld.complete(null);
            });
    isHeld.join();

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> lock.lock(Deadline.in(world, SHORT)))
        .withMessage(
            "a thing is being done by another thread, which took longer than 20 ms; nothing was"
                + " done");
  }

  @Test
  void whoWaitsGetsTheLockWhenItIsFree() {
    DeadlineLock lock = new DeadlineLock("a thing is being done");
    lock.lock(Deadline.in(world, LONG));
    CompletableFuture<Boolean> one = tried(lock, LONG);
    lock.unlock();

    assertThat(one.join()).isTrue();
  }

  @Test
  void whoWaitsGetsMoreTimeForWhatTheHolderMoves() {
    AtomicInteger looks = new AtomicInteger();
    DeadlineLock lock =
        new DeadlineLock(
            "a thing is being done",
            () -> (long) Math.min(5, looks.getAndIncrement()) * Deadline.ENTRIES);
    lock.lock(Deadline.in(world, LONG));

    assertThat(tried(lock, SHORT).join()).isFalse();
    assertThat(looks.get()).isGreaterThan(5);
  }

  @Test
  void whoFindsNoPlaceIsToldAtItsDeadline() {
    Places places = new Places("things", 1);
    places.enter(Deadline.in(world, LONG));

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> places.enter(Deadline.in(world, SHORT)))
        .withMessageContaining("1 things are in flight already");
    places.leave();
    places.enter(Deadline.in(world, SHORT));
  }
}
