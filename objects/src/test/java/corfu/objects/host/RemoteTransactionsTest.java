package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Transactions on objects that servers play. */
class RemoteTransactionsTest extends OnRemoteViews {

  @Test
  void aTransactionReadsAndChangesRemoteObjects() {
    ReplicatedObjects objects = client();
    RemoteObjects remote = objects.remote(HOSTS_ONLY);
    Account alice = remote.open("alice", Account.class);
    Account bob = remote.open("bob", Account.class);
    ReplicatedMap<String, Long> moved = objects.open("moved", MAP);
    alice.deposit(100);

    long left =
        objects.transact(
            () -> {
              long rest = alice.withdraw(30);
              bob.deposit(30);
              assertThat(bob.balance()).isEqualTo(30); // its own change, which no other client sees
              assertThat(alice.balance()).isEqualTo(70);
              moved.fastPut("alice", 30L);
              return rest;
            });

    assertThat(left).isEqualTo(70);
    assertThat(List.of(alice.balance(), bob.balance(), moved.get("alice")))
        .containsExactly(70L, 30L, 30L);
  }

  @Test
  void aTransactionLosesAgainstWhoeverChangesWhatItHasRead() {
    ReplicatedObjects objects = client();
    RemoteObjects remote = objects.remote(HOSTS_ONLY);
    ReplicatedMap<String, Long> map = remote.open("map", MAP);
    Account account = remote.open("alice", Account.class);
    ReplicatedObjects others = client();
    ReplicatedMap<String, Long> elsewhere = others.open("map", MAP);
    Account same = others.open("alice", Account.class);
    map.fastPut("k", 1L);

    objects.txBegin();
    long read = map.get("k");
    elsewhere.fastPut("k", 7L);
    elsewhere.fastPut("other", 7L);
    assertThat(map.containsKey("other")).isFalse(); // all reads see one moment
    map.fastPut("k", read + 1);
    assertThatThrownBy(objects::txEnd)
        .isInstanceOfSatisfying(
            TransactionAbortedException.class,
            lost -> assertThat(lost.conflict().orElseThrow().name()).isEqualTo("map"));

    objects.txBegin();
    assertThat(account.balance()).isZero();
    same.deposit(1);
    assertThatThrownBy(account::balance).isInstanceOf(TransactionAbortedException.class);
    objects.txAbort();

    objects.txBegin();
    assertThat(map.get("k")).isEqualTo(7);
    elsewhere.fastPut("unread", 1L);
    map.fastPut("k", 8L);
    objects.txEnd(); // another key causes no conflict
    assertThat(elsewhere.get("k")).isEqualTo(8);
  }

  @Test
  void aTransactionThatOnlyReadsSeesOneMomentHoweverOld() {
    ReplicatedObjects objects = client();
    RemoteObjects remote = objects.remote(HOSTS_ONLY);
    Account alice = remote.open("alice", Account.class);
    Account bob = remote.open("bob", Account.class);
    ReplicatedObjects others = client();
    Account there = others.open("bob", Account.class);

    long sum =
        objects.transact(
            TransactionOptions.READ_ONLY,
            () -> {
              long first = alice.balance();
              others.transact(
                  () -> {
                    others.open("alice", Account.class).deposit(5);
                    there.deposit(5);
                  });
              return first + bob.balance();
            });

    assertThat(sum).isZero();
    Address now = new Address(cluster.connect().log().tail().value());
    there.deposit(1);
    assertThat(objects.<Long>transact(TransactionOptions.at(now), bob::balance)).isEqualTo(5);
  }

  @Test
  void manyTransactionsOnRemoteViewsLoseNothing() {
    List<CompletableFuture<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ReplicatedObjects objects = client();
      ReplicatedMap<String, Long> map = objects.remote(HOSTS_ONLY).open("map", MAP);
      clients.add(
          started(
              () -> {
                for (int times = 0; times < 25; times++) {
                  objects.transact(
                      TransactionOptions.DEFAULT.withAttempts(1_000),
                      () -> map.fastPut("n", map.getOrDefault("n", 0L) + 1));
                }
                return 25;
              }));
    }
    clients.forEach(CompletableFuture::join);

    assertThat(remote().open("map", MAP).get("n")).isEqualTo(100);
  }
}
