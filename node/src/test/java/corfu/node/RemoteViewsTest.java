package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.CheckpointPolicy;
import corfu.objects.HistoryTrimmedException;
import corfu.objects.MutatorCall;
import corfu.objects.ObjectOptions;
import corfu.objects.RemoteObjects;
import corfu.objects.RemoteViewException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.host.HostOptions;
import corfu.objects.host.HostTypes;
import corfu.objects.host.ViewHost;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.RemoteOptions.Fallback;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that servers play for clients. */
class RemoteViewsTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  /** What a host may load here. */
  private static final HostTypes TYPES =
      HostTypes.COLLECTIONS.allowing(List.of(RemoteViewsTest.class.getName() + "$*"));

  private static final HostOptions HOST = HostOptions.DEFAULT.withTypes(TYPES);

  /** No view of the client's own stands in, so that it is the host that answers. */
  private static final RemoteOptions HOSTS_ONLY =
      RemoteOptions.DEFAULT.withFallback(Fallback.NONE).withPatience(Duration.ofSeconds(10));

  private EmbeddedCluster cluster = start(HOST);

  private static EmbeddedCluster start(HostOptions host) {
    return EmbeddedCluster.builder().nodes(1).views(host).start();
  }

  private void restartWith(HostOptions host) {
    cluster.close();
    cluster = start(host);
  }

  @AfterEach
  void stop() {
    Account.freed.countDown();
    cluster.close();
  }

  private ReplicatedObjects client() {
    return ReplicatedObjects.over(cluster.connect());
  }

  private RemoteObjects remote() {
    return client().remote(HOSTS_ONLY);
  }

  static class Account {
    static volatile CountDownLatch freed = new CountDownLatch(1);

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
      freed.await();
      return balance;
    }
  }

  static class TooLittleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLittleException(String message) {
      super(message);
    }
  }

  // ------------------------------------------------------------------------------- single calls

  @Test
  void anAccessorSeesWhatAnybodyHasDoneBefore() {
    Account local = client().open("alice", Account.class);
    Account far = remote().open("alice", Account.class);

    for (int i = 1; i <= 20; i++) {
      local.deposit(5);
      assertThat(far.balance()).isEqualTo(10L * i - 5);
      far.deposit(5);
      assertThat(local.balance()).isEqualTo(10L * i);
    }
  }

  @Test
  void aChangeReturnsOrThrowsWhatCameOfItWhereItWasOrdered() {
    Account far = remote().open("alice", Account.class);
    far.deposit(10);

    assertThat(far.withdraw(4)).isEqualTo(6);
    assertThatThrownBy(() -> far.withdraw(7))
        .isInstanceOf(TooLittleException.class)
        .hasMessage("there is only 6");
    assertThat(far.balance()).isEqualTo(6);
  }

  @Test
  void manyCallersOfOneViewAreAllAnswered() {
    ReplicatedCounter counter = remote().open("hits", ReplicatedCounter.type());
    List<CompletableFuture<Long>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      CompletableFuture<Long> call = new CompletableFuture<>();
      calls.add(call);
      cluster.world().start("caller", () -> call.complete(counter.incrementAndGet()));
    }

    assertThat(calls.stream().map(CompletableFuture::join).sorted())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
    assertThat(counter.get()).isEqualTo(200);
  }

  @Test
  void collectionsAnswerFromAfarWhatTheyAnswerLocally() {
    ReplicatedObjects objects = client();
    RemoteObjects remote = remote();
    ObjectType<ReplicatedRangeMap<Long, String>> type =
        ReplicatedRangeMap.of(Long.class, String.class);
    ReplicatedRangeMap<Long, String> events = remote.open("events", type);
    events.putAll(Map.of(1L, "one", 2L, "two", 3L, "three"));
    ReplicatedRangeMap<Long, String> same = objects.open("events", type);

    assertThat(events.headMap(3L)).isEqualTo(same.headMap(3L));
    assertThat(events.firstEntry()).isEqualTo(same.firstEntry());
    assertThat(events.floorKey(9L)).isEqualTo(3L);
    assertThat(events.descendingMap()).isEqualTo(same.descendingMap());
    assertThat(events.entrySet()).isEqualTo(same.entrySet());
    assertThat(events).isEqualTo(same);

    ReplicatedList<String> list = remote.open("list", ReplicatedList.of(String.class));
    list.addAll(List.of("a", "b", "c"));
    assertThat(list).containsExactly("a", "b", "c");
    ReplicatedQueue<String> queue = remote.open("queue", ReplicatedQueue.of(String.class));
    queue.add("first");
    assertThat(queue.poll()).isEqualTo("first");
    ReplicatedSet<String> set = remote.open("set", ReplicatedSet.of(String.class));
    assertThat(set.add("x")).isTrue();
    assertThat(set).containsExactly("x");
    ReplicatedMap<String, Long> map = remote.open("map", MAP);
    assertThat(map.put("k", 1L)).isNull();
    assertThat(map.merge("k", 2L, Long::sum)).isEqualTo(3L);
    assertThat(map.keySet()).containsExactly("k");
    assertThat(map.entrySet()).containsExactly(Map.entry("k", 3L));
    assertThat(map).isEqualTo(Map.of("k", 3L));
  }

  record Point(int x, int y) {}

  @Test
  void whatACollectionHoldsMayBeOfClassesThatTheHostMayLoad() {
    ReplicatedMap<String, Point> points =
        remote().open("points", ReplicatedMap.of(String.class, Point.class));
    points.fastPut("a", new Point(1, 2));

    assertThat(points.get("a")).isEqualTo(new Point(1, 2));
  }

  // ------------------------------------------------------------------------------------ the past

  @Test
  void thePastIsShownAsItWas() {
    ReplicatedObjects objects = client();
    Account account = objects.open("alice", Account.class);
    ReplicatedMap<String, Long> map = objects.open("map", MAP);
    account.deposit(1);
    map.fastPut("k", 1L);
    Address then = new Address(cluster.connect().log().tail().value());
    account.deposit(2);
    map.fastPut("k", 2L);

    RemoteObjects remote = remote();
    assertThat(remote.open("alice", Account.class).balance()).isEqualTo(3);
    assertThat(remote.at(then).open("alice", Account.class).balance()).isEqualTo(1);
    assertThat(remote.at(then).open("map", MAP).get("k")).isEqualTo(1);
    assertThatThrownBy(() -> remote.at(then).open("map", MAP).fastPut("k", 3L))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> remote.at(new Address(1_000_000)).open("map", MAP))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPastThatIsForgottenIsSaidToBe() {
    ReplicatedObjects objects = client();
    ReplicatedMap<String, Long> map = objects.open("map", MAP);
    map.fastPut("k", 1L);
    Address then = new Address(cluster.connect().log().tail().value());
    map.fastPut("k", 2L);
    Address kept = objects.checkpoint(map);
    assertThat(objects.forget(map, kept)).isPresent();

    ReplicatedMap<String, Long> past = remote().at(then).open("map", MAP);
    assertThatThrownBy(() -> past.get("k")).isInstanceOf(HistoryTrimmedException.class);
  }

  // -------------------------------------------------------------------------------- transactions

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
              assertThat(bob.balance()).isEqualTo(30); // its own change, which nobody else sees
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
    assertThat(map.containsKey("other")).isFalse(); // all reads are of one moment
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
    objects.txEnd(); // another key is in nobody's way
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
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ReplicatedObjects objects = client();
      ReplicatedMap<String, Long> map = objects.remote(HOSTS_ONLY).open("map", MAP);
      CompletableFuture<Void> done = new CompletableFuture<>();
      clients.add(done);
      cluster
          .world()
          .start(
              "client",
              () -> {
                for (int times = 0; times < 25; times++) {
                  objects.transact(
                      TransactionOptions.DEFAULT.withAttempts(1_000),
                      () -> map.fastPut("n", map.getOrDefault("n", 0L) + 1));
                }
                done.complete(null);
              });
    }
    clients.forEach(CompletableFuture::join);

    assertThat(remote().open("map", MAP).get("n")).isEqualTo(100);
  }

  // --------------------------------------------------------------------------------- bad inputs

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
  void anAccessorThatNeverReturnsKeepsItsOwnCallerWaitingOnly() {
    Account.freed = new CountDownLatch(1);
    restartWith(HOST.withThreads(3, 1, 100).withStuckAfter(Duration.ofMillis(50)));
    RemoteObjects remote = client().remote(HOSTS_ONLY.withPatience(Duration.ofMillis(300)));
    Account stuck = remote.open("alice", Account.class);
    Account other = client().remote(HOSTS_ONLY).open("bob", Account.class);
    other.deposit(1);

    assertThatThrownBy(stuck::never)
        .isInstanceOfSatisfying(
            RemoteViewException.class, late -> assertThat(late.refusal().mayPass()).isTrue());
    assertThat(other.balance()).isEqualTo(1);
    assertThat(cluster.hosted("n1").map(ViewHost.Standing::stuck)).hasValue(1L);
    assertThatThrownBy(stuck::balance)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STUCK))
        .hasMessageContaining("never");

    Account.freed.countDown();
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

    // Many changes of little are no reason.
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

    assertThat(cluster.hosted("n1").orElseThrow().objects()).isLessThanOrEqualTo(2);
    assertThat(counters.getFirst().get()).isEqualTo(1_501);
    assertThat(counters.getLast().get()).isEqualTo(1);
  }

  // ---------------------------------------------------------------------------------------- TCP

  @Test
  void overTcpIsNoDifference(@TempDir Path home) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ClusterConfig config = ClusterConfig.local(home, port, 1, 1, UnitMode.BUFFERED).withViews(HOST);
    try (Node node = Node.start(config, "n1")) {
      CorfuOptions options = CorfuOptions.of(List.of(node.endpoint()));
      RealWorld world = new RealWorld();
      try (Transport transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT)) {
        var unused = Bootstrap.bootstrap(config, world, transport);
      }
      try (Corfu corfu = Corfu.connect(options)) {
        Account account =
            ReplicatedObjects.over(corfu).remote(HOSTS_ONLY).open("alice", Account.class);
        account.deposit(5);
        assertThat(account.withdraw(2)).isEqualTo(3);
        assertThat(account.balance()).isEqualTo(3);
      }
      world.close();
    }
  }

  // ----------------------------------------------------------------------------------- fallback

  @Test
  void whereNobodyHostsViewsTheClientPlaysTheObjectItself() {
    cluster.close();
    cluster = EmbeddedCluster.builder().nodes(1).start();
    Account account = client().remote().open("alice", Account.class);
    account.deposit(10);

    assertThat(account.balance()).isEqualTo(10);
    assertThat(account.withdraw(3)).isEqualTo(7);
    Account strict = remote().open("alice", Account.class);
    assertThatThrownBy(strict::balance)
        .isInstanceOfSatisfying(
            RemoteViewException.class,
            nobody -> assertThat(nobody.refusal()).isEqualTo(Refusal.NOT_NOW));
  }

  @Test
  void readingFallsBackWhenHostsDieAndComesBackWithThem() {
    cluster.close();
    cluster = EmbeddedCluster.builder().nodes(3).replicas(3).views(HOST).start();
    ReplicatedObjects objects = client();
    RemoteObjects remote =
        objects.remote(RemoteOptions.DEFAULT.withPatience(Duration.ofMillis(500)));
    Account account = remote.open("alice", Account.class);
    account.deposit(1);
    assertThat(account.balance()).isEqualTo(1);
    String host = hostOf();

    cluster.kill(host);
    account.deposit(1);
    assertThat(account.balance()).isEqualTo(2);
    assertThat(account.withdraw(1)).isEqualTo(1);
    cluster.restart(host);
    account.deposit(5);
    assertThat(account.balance()).isEqualTo(6);
  }

  /** Who plays something. */
  private String hostOf() {
    return List.of("n1", "n2", "n3").stream()
        .filter(name -> cluster.hosted(name).map(ViewHost.Standing::objects).orElse(0) > 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFailureOfAMutatorIsToldToWhoWaitsForIt() {
    ReplicatedObjects objects =
        ReplicatedObjects.over(
            cluster.connect(),
            ObjectOptions.DEFAULT.withMutatorCall(MutatorCall.RETURNS_WHEN_CARRIED_OUT));
    ReplicatedMap<String, Long> map = objects.remote(HOSTS_ONLY).open("map", MAP);

    map.fastPut("k", 1L);
    assertThat(map.get("k")).isEqualTo(1);
  }
}
