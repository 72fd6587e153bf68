package corfu.runtime.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.batch.Batcher.Bounds;
import corfu.runtime.internal.batch.Batcher.Turn;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The items that share a batch, and the time at which a batch begins. */
final class BatcherTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private record Started(List<String> items, Turn turn, CompletableFuture<Void> end) {}

  private final RealWorld world = new RealWorld();
  private final BlockingQueue<Started> started = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    started.forEach(batch -> batch.end().complete(null));
    world.close();
  }

  private Batcher<String> batcher(Bounds bounds, Duration patience) {
    Deadline deadline = Deadline.in(world, patience);
    return new Batcher<>(
        world,
        "test",
        bounds,
        String::length,
        item -> deadline,
        (items, turn, onlySlowOnesLeft) -> {
          Started batch = new Started(items, turn, new CompletableFuture<>());
          started.add(batch);
          batch.end().join();
        });
  }

  private Started next() throws InterruptedException {
    Started batch = started.poll(30, TimeUnit.SECONDS);
    assertThat(batch).isNotNull();
    return batch;
  }

  @Test
  void anItemLeavesAtOnceIfNothingIsInFlight() throws InterruptedException {
    batcher(new Bounds(100, 1_000, 1, 1_000), LONG).submit("a");

    assertThat(next().items()).containsExactly("a");
  }

  @Test
  void itemsGatherWhileABatchIsInFlightAndLeaveTogether() throws InterruptedException {
    Batcher<String> batcher = batcher(new Bounds(100, 1_000, 1, 1_000), LONG);
    batcher.submit("a");
    Started first = next();
    batcher.submit("b");
    batcher.submit("c");

    first.end().complete(null);

    assertThat(next().items()).containsExactly("b", "c");
  }

  @Test
  void aBatchIsBoundedByItemsAndByWeight() throws InterruptedException {
    Batcher<String> batcher = batcher(new Bounds(2, 4, 1, 1_000), LONG);
    batcher.submit("a");
    Started first = next();
    List.of("b", "c", "ddd", "ee").forEach(batcher::submit);

    first.end().complete(null);
    Started second = next();
    second.end().complete(null);
    Started third = next();

    assertThat(second.items()).containsExactly("b", "c");
    assertThat(third.items()).containsExactly("ddd");
  }

  @Test
  void theTurnOfABatchFollowsThatOfTheBatchBefore() throws InterruptedException {
    Batcher<String> batcher = batcher(new Bounds(4, 1_000, 2, 1_000), LONG);
    batcher.submit("a");
    Started first = next();
    batcher.submit("b");
    Started second = next();

    assertThat(first.turn().previous()).isCompleted();
    assertThat(second.turn().previous()).isSameAs(first.turn().own()).isNotDone();
  }

  @Test
  void withoutRoomAnItemIsRefusedAtItsDeadline() throws InterruptedException {
    Batcher<String> batcher = batcher(new Bounds(100, 1_000, 1, 5), Duration.ofMillis(50));
    batcher.submit("12345");
    next();

    assertThatThrownBy(() -> batcher.submit("6"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("nothing was sent");
  }
}
