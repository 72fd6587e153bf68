package corfu.objects.host;

import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.RemoteOptions.Fallback;
import corfu.objects.type.ObjectType;
import corfu.runtime.cluster.RoleCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A cluster of one server that hosts views, with clients. */
@Timeout(180)
abstract class OnRemoteViews {

  static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  /** The types that a host may load here. */
  static final HostTypes TYPES =
      HostTypes.COLLECTIONS.allowing(List.of(OnRemoteViews.class.getName() + "$*"));

  static final HostOptions HOST = HostOptions.DEFAULT.withTypes(TYPES);

  /** Options without a local view as a fallback, so that only the host answers. */
  static final RemoteOptions HOSTS_ONLY =
      RemoteOptions.DEFAULT.withFallback(Fallback.NONE).withPatience(Duration.ofSeconds(30));

  HostNeighbors hosts = new HostNeighbors(HOST);
  RoleCluster cluster = RoleCluster.builder().neighbor(hosts).start();

  void restartWith(HostOptions host) {
    restartWith(RoleCluster.builder(), host);
  }

  /** Another cluster takes the place of the one that runs. */
  void restartWith(RoleCluster.Builder builder, HostOptions host) {
    cluster.close();
    hosts = new HostNeighbors(host);
    cluster = builder.neighbor(hosts).start();
  }

  @AfterEach
  void stop() {
    Account.freed.countDown();
    cluster.close();
  }

  ReplicatedObjects client() {
    return ReplicatedObjects.over(cluster.connect());
  }

  /** Runs the work on a thread of its own. Returns the future of its result. */
  <T> CompletableFuture<T> started(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> cluster.world().start("caller", task));
  }

  RemoteObjects remote() {
    return client().remote(HOSTS_ONLY);
  }

  static class Account {
    static volatile CountDownLatch freed = new CountDownLatch(1);

    /** Counted down when a thread has entered the method. */
    static volatile CountDownLatch entered = new CountDownLatch(1);

    private long balance;
    private String note = "";

    @Mutator
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor
    public long withdraw(long amount) {
      if (amount > balance) {
        throw new TooLittleException("there is only " + balance);
      }
      balance -= amount;
      return balance;
    }

    @Mutator
    public void note(String text) {
      note = text;
    }

    @Accessor
    public long balance() {
      return balance;
    }

    @Accessor
    public String notes(int times) {
      return note.repeat(times);
    }

    @Accessor
    public long never() throws InterruptedException {
      entered.countDown();
      freed.await();
      return balance;
    }
  }

  static class TooLittleException extends RuntimeException {
    static final long serialVersionUID = 1L;

    TooLittleException(String message) {
      super(message);
    }
  }

  record Point(int x, int y) {}
}
