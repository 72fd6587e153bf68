package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.barriers.DistributedBarrier;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.queue.SimpleDistributedQueue;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recipes of Curator, unchanged. */
class CuratorTest {

  private static final int CLIENTS = 3;
  private static final int TURNS = 10;
  private static final int PATIENCE_SECONDS = 120;

  /** A part of a test that runs for each client at the same time. */
  @FunctionalInterface
  private interface Part<T> {
    T run(CuratorFramework client, int index) throws Exception;
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aLockHasOneOwner(Subjects subjects) throws Exception {
    var owners = new AtomicInteger();
    var turns = new AtomicInteger();
    List<Integer> most =
        eachAtOnce(
            subjects,
            (client, index) -> {
              var lock = new InterProcessMutex(client, "/lock");
              int mostOwners = 0;
              for (int i = 0; i < TURNS; i++) {
                assertThat(lock.acquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                mostOwners = Math.max(mostOwners, owners.incrementAndGet());
                turns.incrementAndGet();
                owners.decrementAndGet();
                lock.release();
              }
              return mostOwners;
            });
    assertThat(most).containsOnly(1);
    assertThat(turns).hasValue(CLIENTS * TURNS);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aQueueGivesEachElementToOneClient(Subjects subjects) throws Exception {
    List<List<String>> taken =
        eachAtOnce(
            subjects,
            (client, index) -> {
              var queue = new SimpleDistributedQueue(client, "/queue");
              for (int i = 0; i < TURNS; i++) {
                queue.offer((index + ":" + i).getBytes(UTF_8));
              }
              List<String> mine = new ArrayList<>();
              for (int i = 0; i < TURNS; i++) {
                mine.add(new String(queue.take(), UTF_8));
              }
              return mine;
            });
    List<String> all = new ArrayList<>();
    for (int index = 0; index < CLIENTS; index++) {
      for (int i = 0; i < TURNS; i++) {
        all.add(index + ":" + i);
      }
    }
    assertThat(taken.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(all);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aBarrierHoldsClientsUntilItIsRemoved(Subjects subjects) throws Exception {
    var removed = new AtomicInteger();
    List<Integer> seen =
        eachAtOnce(
            subjects,
            (client, index) -> {
              var barrier = new DistributedBarrier(client, "/barrier");
              var ready = new DistributedDoubleBarrier(client, "/ready", CLIENTS);
              if (index == 0) {
                barrier.setBarrier();
              }
              assertThat(ready.enter(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
              if (index == 0) {
                removed.incrementAndGet();
                barrier.removeBarrier();
              } else {
                assertThat(barrier.waitOnBarrier(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
              }
              return removed.get();
            });
    assertThat(seen).containsOnly(1);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aDoubleBarrierIsEnteredAndLeftTogether(Subjects subjects) throws Exception {
    var entered = new AtomicInteger();
    List<Integer> seen =
        eachAtOnce(
            subjects,
            (client, index) -> {
              var barrier = new DistributedDoubleBarrier(client, "/double", CLIENTS);
              entered.incrementAndGet();
              assertThat(barrier.enter(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
              int enteredBefore = entered.get();
              assertThat(barrier.leave(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
              return enteredBefore;
            });
    assertThat(seen).containsOnly(CLIENTS);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void anElectionHasOneLeaderAtATime(Subjects subjects) throws Exception {
    var leaders = new AtomicInteger();
    List<Integer> most =
        eachAtOnce(
            subjects,
            (client, index) -> {
              try (var latch = new LeaderLatch(client, "/election", String.valueOf(index))) {
                latch.start();
                assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                int now = leaders.incrementAndGet();
                leaders.decrementAndGet();
                return now;
              }
            });
    assertThat(most).hasSize(CLIENTS).containsOnly(1);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aCounterCountsEachIncrementOnce(Subjects subjects) throws Exception {
    List<Long> last =
        eachAtOnce(
            subjects,
            (client, index) -> {
              var counter = new DistributedAtomicLong(client, "/counter", new RetryForever(1));
              long value = 0;
              for (int i = 0; i < TURNS; i++) {
                var result = counter.increment();
                assertThat(result.succeeded()).isTrue();
                value = result.postValue();
              }
              return value;
            });
    assertThat(last.stream().mapToLong(Long::longValue).max()).hasValue(CLIENTS * TURNS);
  }

  private static <T> List<T> eachAtOnce(Subjects subjects, Part<T> part) throws Exception {
    try (Subject subject = subjects.start(SubjectOptions.DEFAULT);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Callable<T>> parts = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int index = i;
        parts.add(
            () -> {
              try (CuratorFramework client =
                  CuratorFrameworkFactory.newClient(
                      subject.connectString(), new ExponentialBackoffRetry(100, 10))) {
                client.start();
                return part.run(client, index);
              }
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(parts)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
