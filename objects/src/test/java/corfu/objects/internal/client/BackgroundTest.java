package corfu.objects.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.RealWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BackgroundTest {

  private final RealWorld world = new RealWorld();
  private final Background background = new Background(world);

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void tasksAreDoneOneAfterTheOther() {
    List<Integer> done = new ArrayList<>(); // not thread-safe, and need not be
    CompletableFuture<Void> all = new CompletableFuture<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      assertThat(background.offer(() -> done.add(number))).isTrue();
    }
    assertThat(background.offer(() -> all.complete(null))).isTrue();

    all.join();
    assertThat(done).hasSize(100).isSorted();
  }

  @Test
  void aTaskThatFailsDoesNotKeepOthersFromBeingDone() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    background.offer(
        () -> {
          throw new IllegalStateException("no");
        });
    background.offer(() -> done.complete(null));

    done.join();
  }

  @Test
  void whoPausesWhenAllIsOverEndsAtOnceAndNothingElseBegins() {
    CompletableFuture<Void> pausing = new CompletableFuture<>();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    CompletableFuture<Void> next = new CompletableFuture<>();
    background.offer(
        () -> {
          pausing.complete(null);
          try {
            background.pause(TimeUnit.HOURS.toNanos(1));
            ended.completeExceptionally(new AssertionError("an hour has passed"));
          } catch (Background.StoppedException stopped) {
            ended.complete(stopped);
          }
        });
    background.offer(() -> next.complete(null));
    pausing.join();

    background.stop();

    assertThat(ended.join()).isInstanceOf(Background.StoppedException.class);
    assertThat(background.offer(() -> next.complete(null))).isFalse();
    assertThat(next).isNotDone();
  }
}
