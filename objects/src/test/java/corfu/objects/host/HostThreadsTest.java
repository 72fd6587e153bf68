package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.remote.TypeName;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As few threads are awake as get on with what there is. */
@Timeout(30)
class HostThreadsTest {

  private static final int MOST = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final StillWorld world = new StillWorld();
  private final SynchronousQueue<CallQueue> taken = new SynchronousQueue<>();
  private final HostThreads threads = new HostThreads(world, lock, MOST, this::takeAll);
  private int queues;

  private CallQueue schedule() {
    CallQueue queue =
        new CallQueue(
            new CallQueue.Key(
                StreamId.named("object " + queues++), new TypeName("map", List.of())));
    inTheLock(() -> threads.schedule(queue));
    return queue;
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
      for (Optional<CallQueue> queue = threads.next(); queue.isPresent(); queue = threads.next()) {
        taken.put(queue.get());
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void oneThreadTakesWhatComesMeanwhile() {
    CallQueue first = schedule();
    CallQueue second = schedule();
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
      CallQueue queue = schedule();
      world.begin();
      assertThat(taken.take()).isSameAs(queue);
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
}
