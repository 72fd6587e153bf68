package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.type.ObjectType;
import corfu.runtime.CorfuException;
import corfu.sim.cluster.SilencedCluster;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that once took several times their timeout. */
class DeadlineMuseumTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration BOUND = TIMEOUT.plus(Duration.ofMillis(300));

  private static final ObjectType<ReplicatedQueue<String>> QUEUE = ReplicatedQueue.of(String.class);

  private final SilencedCluster cluster = new SilencedCluster();

  private static Duration lasted(World world, Runnable call) {
    long since = world.nanoTime();
    call.run();
    return Duration.ofNanos(world.nanoTime() - since);
  }

  @Test
  void allStepsOfACallEndByOneDeadline() {
    Duration lasted =
        cluster.client(
            TIMEOUT,
            (corfu, way) -> {
              ReplicatedObjects.over(corfu).open("queue", QUEUE).add("a");
              ReplicatedQueue<String> queue = ReplicatedObjects.over(corfu).open("queue", QUEUE);
              way.slow(0, Duration.ofMillis(700));
              return lasted(
                  corfu.streamAccess().world(),
                  () -> {
                    CorfuException unused = catchThrowableOfType(CorfuException.class, queue::poll);
                  });
            });

    assertThat(lasted).isLessThan(BOUND);
  }

  @Test
  void whoWaitsForAnObjectThatAnotherThreadPlaysWaitsNoLongerThanItsOwnDeadline() {
    List<Duration> lasted =
        cluster.client(
            TIMEOUT,
            (corfu, way) -> {
              World world = corfu.streamAccess().world();
              ReplicatedMap<String, String> map =
                  ReplicatedObjects.over(corfu)
                      .open("map", ReplicatedMap.of(String.class, String.class));
              map.put("a", "b");
              way.silence(0, server -> true);
              List<CompletableFuture<Duration>> threads = new ArrayList<>();
              for (int i = 0; i < 5; i++) {
                CompletableFuture<Duration> thread = new CompletableFuture<>();
                threads.add(thread);
                world.start(
                    "caller",
                    () ->
                        thread.complete(
                            lasted(
                                world,
                                () -> {
                                  CorfuException unused =
                                      catchThrowableOfType(CorfuException.class, map::size);
                                })));
              }
              return threads.stream().map(CompletableFuture::join).toList();
            });

    assertThat(lasted).allMatch(each -> each.compareTo(BOUND) < 0);
  }
}
