package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.remote.TypeName;
import corfu.protocol.StreamId;
import corfu.world.Loop;
import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As few threads are awake as get on with what there is. */
@Timeout(30)
class HostThreadsTest {

  private static final int MOST = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final StillWorld world = new StillWorld();
  private final SynchronousQueue<Lane> taken = new SynchronousQueue<>();
  private final HostThreads threads = new HostThreads(world, lock, MOST, this::takeAll);
  private int lanes;

  private Lane schedule() {
    Lane lane =
        new Lane(new Lane.Key(StreamId.named("object " + lanes++), new TypeName("map", List.of())));
    inTheLock(() -> threads.schedule(lane));
    return lane;
  }

  private void inTheLock(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private void takeAll() {
    try {
      for (Optional<Lane> lane = threads.next(); lane.isPresent(); lane = threads.next()) {
        taken.put(lane.get());
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void oneThreadTakesWhatComesMeanwhile() {
    Lane first = schedule();
    Lane second = schedule();
    assertThat(threads.count()).isEqualTo(1);
    assertThat(threads.next()).contains(first);
    assertThat(threads.next()).contains(second);
  }

  @Test
  void anotherOneTakesWhatComesWhileItWaits() {
    schedule();
    threads.next();
    int whileWaiting =
        threads.waiting(
            () -> {
              schedule();
              return threads.count();
            });
    assertThat(whileWaiting).isEqualTo(2);
  }

  @Test
  void anotherOneTakesWhatWasThereWhenItBeganToWait() {
    schedule();
    schedule();
    threads.next();
    assertThat(threads.<Integer, RuntimeException>waiting(threads::count)).isEqualTo(2);
  }

  @Test
  void anotherOneTakesWhatComesAfterItHasTakenNothingForLong() {
    schedule();
    threads.next();
    world.nanos += 1_000_000;
    schedule();
    assertThat(threads.count()).isEqualTo(2);
  }

  @Test
  void anotherOneTakesWhatComesWhileOneIsAtSomethingThatTakesLong() {
    schedule();
    threads.next();
    inTheLock(threads::isLeftAlone);
    schedule();
    assertThat(threads.count()).isEqualTo(2);
  }

  @Test
  void oneThatIsBackTakesWhatComesNext() {
    schedule();
    threads.next();
    inTheLock(threads::isLeftAlone);
    inTheLock(threads::isBack);
    schedule();
    assertThat(threads.count()).isEqualTo(1);
  }

  @Test
  void whatWaitsBehindManyHasAnotherOne() {
    for (int i = 0; i < 20; i++) {
      schedule();
    }
    assertThat(threads.count()).isEqualTo(2);
  }

  @Test
  void thereAreNoMoreThanThereMayBe() {
    for (int i = 0; i < 1_000; i++) {
      world.nanos += 1_000_000;
      schedule();
    }
    assertThat(threads.count()).isEqualTo(MOST);
  }

  @Test
  void aThreadThatHasNothingToDoTakesWhatComesNext() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Lane lane = schedule();
      world.begin();
      assertThat(taken.take()).isSameAs(lane);
    }
    assertThat(threads.count()).isEqualTo(1);
  }

  @Test
  void allEndWhenTheHostIsClosed() throws Exception {
    schedule();
    world.begin();
    taken.take();
    inTheLock(threads::close);
    for (Thread each : world.begun) {
      each.join();
    }
    assertThat(threads.count()).isZero();
  }

  /** Time stands still, and threads begin when they are told to. */
  private static final class StillWorld implements World {
    final List<Runnable> bodies = new ArrayList<>();
    final List<Thread> begun = new ArrayList<>();
    long nanos = Long.MAX_VALUE - 10_000; // wraps soon

    void begin() {
      bodies.forEach(body -> begun.add(Thread.ofVirtual().start(body)));
      bodies.clear();
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void work(String name, Runnable body) {
      bodies.add(body);
    }

    @Override
    public long wallTimeMillis() {
      throw new UnsupportedOperationException("there is no calendar here");
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException("nothing happens later here");
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException("there is no chance here");
    }

    @Override
    public Thread start(String name, Runnable body) {
      throw new UnsupportedOperationException("no other threads here");
    }

    @Override
    public Loop loop(String name) {
      throw new UnsupportedOperationException("no loops here");
    }
  }
}
