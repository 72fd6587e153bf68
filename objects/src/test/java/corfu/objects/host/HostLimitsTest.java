package corfu.objects.host;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.CheckpointPolicy;
import corfu.objects.RemoteObjects;
import corfu.objects.RemoteViewException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.remote.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The limits of a host: which calls it refuses, and how it protects objects from each other. */
class HostLimitsTest extends OnRemoteViews {

  /** No call lasts for so long, however busy the machine is. */
  private static final Duration LONG = Duration.ofHours(1);

  static class Secret {
    @Accessor
    public long get() {
      return 1;
    }
  }

  @Test
  void aClassThatTheHostMayNotLoadIsNamedInItsRefusal() {
    restartWith(HostOptions.DEFAULT);
    Secret secret = client().remote().open("secret", Secret.class);

    assertThatThrownBy(secret::get)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> {
              assertThat(refused.refusal()).isEqualTo(Refusal.UNKNOWN_TYPE);
              assertThat(refused.host()).isPresent();
              assertThat(refused)
                  .hasMessageContaining(Secret.class.getName())
                  .hasMessageContaining("127.0.0.1:1");
            });
  }

  @Test
  void aClassThatTheHostDoesNotHaveIsNamedInItsRefusal() {
    restartWith(
        HOST.withTypes(
            TYPES.loadedBy(
                new ClassLoader(null) {
                  @Override
                  public String getName() {
                    return "empty";
                  }
                })));
    Account account = client().remote().open("alice", Account.class);

    assertThatThrownBy(account::balance)
        .isInstanceOf(RemoteViewException.class)
        .hasMessageContaining(Account.class.getName())
        .hasMessageContaining("class path");
  }

  @Test
  void anAccessorThatNeverReturnsKeepsItsOwnCallerWaitingOnly() throws InterruptedException {
    Account.freed = new CountDownLatch(1);
    Account.entered = new CountDownLatch(1);
    restartWith(HOST.withThreads(3, 1, 100).withStuckAfter(LONG));
    Account stuck = client().remote(HOSTS_ONLY).open("alice", Account.class);
    Account same = client().remote(HOSTS_ONLY).open("alice", Account.class);
    Account other = client().remote(HOSTS_ONLY).open("bob", Account.class);
    other.deposit(1);
    assertThat(same.balance() + other.balance()).isEqualTo(1);
    assertThat(stuckOnes()).isZero();

    CompletableFuture<Long> call = started(() -> waitForEver(stuck));
    Account.entered.await();
    hosts.pass(LONG.multipliedBy(2));
    eventually(() -> assertThat(stuckOnes()).isEqualTo(1)); // when the host has looked
    assertThatThrownBy(call::join)
        .cause()
        .isInstanceOfSatisfying(
            RemoteViewException.class, late -> assertThat(late.refusal().mayPass()).isTrue());
    assertThat(other.balance()).isEqualTo(1);
    assertThatThrownBy(same::balance)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STUCK))
        .hasMessageContaining("never");

    Account.freed.countDown();
  }

  private static long waitForEver(Account account) {
    try {
      return account.never();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long stuckOnes() {
    return hosts.standing("n1").map(ViewHost.Standing::stuck).orElse(0L);
  }

  @Test
  void aResultThatIsTooLargeIsRefusedAndTheNextOneIsNot() {
    restartWith(HOST.withResultBytesMax(1_000));
    Account account = remote().open("alice", Account.class);
    account.note("0123456789");

    assertThat(account.notes(10)).hasSize(100);
    assertThatThrownBy(() -> account.notes(1_000))
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.RESULT_TOO_LARGE));
    assertThat(account.notes(2)).hasSize(20);
  }

  @Test
  void anObjectThatOutgrowsTheHostIsRefusedAndOthersAreNot() {
    restartWith(HOST.withRoom(20_000, 100));
    ReplicatedObjects objects = client();
    ReplicatedMap<String, String> type =
        objects.open("large", ReplicatedMap.of(String.class, String.class));
    for (int i = 0; i < 40; i++) {
      type.fastPut("key" + i, "x".repeat(1_000));
    }
    RemoteObjects remote = remote();
    ReplicatedMap<String, String> large =
        remote.open("large", ReplicatedMap.of(String.class, String.class));

    assertThatThrownBy(large::size)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.OBJECT_TOO_LARGE));
    Account account = remote.open("alice", Account.class);
    account.deposit(3);
    assertThat(account.balance()).isEqualTo(3);

    // Many small changes are no reason.
    Account busy = objects.open("busy", Account.class);
    for (int i = 0; i < 40; i++) {
      busy.note("y".repeat(1_000));
    }
    assertThat(remote.open("busy", Account.class).notes(1)).hasSize(1_000);
  }

  @Test
  void objectsThatAreNotUsedMakeRoomAndComeBackFromTheirCheckpoints() {
    restartWith(
        HOST.withRoom(1 << 20, 2)
            .withCheckpoints(CheckpointPolicy.MANUAL.withEveryUpdates(1_000_000)));
    ReplicatedObjects objects = client();
    RemoteObjects remote = remote();
    List<ReplicatedCounter> counters = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ReplicatedCounter counter = remote.open("c" + i, ReplicatedCounter.type());
      counters.add(counter);
      if (i == 0) {
        ReplicatedCounter near = objects.open("c0", ReplicatedCounter.type());
        for (int times = 0; times < 1_500; times++) {
          near.increment();
        }
      }
      assertThat(counter.incrementAndGet()).isEqualTo(i == 0 ? 1_501 : 1);
    }

    assertThat(hosts.standing("n1").orElseThrow().objects()).isLessThanOrEqualTo(2);
    assertThat(counters.getFirst().get()).isEqualTo(1_501);
    assertThat(counters.getLast().get()).isEqualTo(1);
  }
}
