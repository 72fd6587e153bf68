package corfu.objects.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StateLockTest {

  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(50);

  private final RealWorld world = new RealWorld();
  private volatile Duration time = LONG;
  private final StateLock lock = new StateLock(() -> Deadline.in(world, time));

  @AfterEach
  void stop() {
    world.close();
  }

  private CompletableFuture<Void> elsewhere(Runnable deed) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread unused =
        world.start(
            "other",
            () -> {
              try {
                deed.run();
                done.complete(null);
              } catch (RuntimeException failure) {
                done.completeExceptionally(failure);
              }
            });
    return done;
  }

  @Test
  void readersDoNotWaitForEachOther() {
    lock.lockToRead();
    elsewhere(lock::lockToRead).join();
  }

  @Test
  void aReaderGivesUpAtItsDeadlineWhileTheStateIsBeingChanged() {
    elsewhere(lock::lockToChange).join();
    time = SHORT;

    assertThatExceptionOfType(UnavailableException.class).isThrownBy(lock::lockToRead);
  }

  @Test
  void aChangeGivesUpAtItsDeadlineWhileTheStateIsBeingRead() {
    elsewhere(lock::lockToRead).join();
    time = SHORT;

    assertThatExceptionOfType(UnavailableException.class).isThrownBy(lock::lockToChange);
    elsewhere(lock::lockToRead).join(); // and is in nobody's way afterwards
  }

  @Test
  void whoWaitsGoesOnWhenTheStateIsFree() {
    lock.lockToChange();
    CompletableFuture<Void> reader = elsewhere(lock::lockToRead);
    lock.endChanging();

    assertThat(reader).succeedsWithin(LONG);
  }

  @Test
  void whoChangesTheStateMayReadItToo() {
    lock.lockToChange();
    lock.lockToRead();
    lock.endReading();
    lock.endChanging();
  }
}
