package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.MutatorCall;
import corfu.objects.ObjectOptions;
import corfu.objects.RemoteObjects;
import corfu.objects.RemoteViewException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.remote.Refusal;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.cluster.RoleCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Objects that servers play for clients. */
class RemoteViewsTest extends OnRemoteViews {

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
      calls.add(started(counter::incrementAndGet));
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

  @Test
  void whatACollectionHoldsMayBeOfClassesThatTheHostMayLoad() {
    ReplicatedMap<String, Point> points =
        remote().open("points", ReplicatedMap.of(String.class, Point.class));
    points.fastPut("a", new Point(1, 2));

    assertThat(points.get("a")).isEqualTo(new Point(1, 2));
  }

  @Test
  void aHostTellsWhereAValueIsThatStaysInTheLog() {
    ReplicatedObjects objects = client();
    var type = ReplicatedMap.inLog(String.class, String.class);
    ReplicatedMap<String, InLog<String>> near = objects.open("pages", type);
    ReplicatedMap<String, InLog<String>> far = client().remote(HOSTS_ONLY).open("pages", type);
    near.put("a", InLog.of("x".repeat(600 << 10)));

    InLog<String> before = far.put("a", InLog.of("two"));
    assertThat(before).isNotNull();
    assertThat(before.get()).hasSize(600 << 10);
    assertThat(far.get("a").get()).isEqualTo("two");
    assertThat(far.entrySet()).isEqualTo(near.entrySet());
    assertThat(far.containsValue(InLog.of("two"))).isTrue();

    InLog<String> kept = far.get("a");
    Address of = objects.checkpoint(near);
    assertThat(objects.forget(near, of)).contains(of);
    assertThat(kept.get()).isEqualTo("two");
    assertThat(far.get("a").get()).isEqualTo("two");
    assertThat(near.get("a").get()).isEqualTo("two");
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
  void aCheckpointIsWrittenByTheHostAndHistoryBeforeItCanBeForgotten() {
    ReplicatedObjects objects = client();
    Account far = objects.remote(HOSTS_ONLY).open("alice", Account.class);
    far.deposit(1);
    far.deposit(2);

    Address of = objects.checkpoint(far);

    assertThat(objects.forget(far, of)).contains(of);
    assertThat(client().open("alice", Account.class).balance()).isEqualTo(3);
    assertThatThrownBy(() -> objects.at(new Address(1)).open("alice", Account.class))
        .isInstanceOf(HistoryTrimmedException.class);
  }

  @Test
  void remoteAndLocalObjectsAreRolledBackTogether() {
    ReplicatedObjects objects = client();
    Account far = objects.remote(HOSTS_ONLY).open("alice", Account.class);
    ReplicatedMap<String, Long> near = objects.open("map", MAP);
    far.deposit(1);
    near.put("k", 1L);
    Address then = cluster.connect().log().tail();
    far.deposit(2);
    near.put("k", 2L);

    objects.rollBack(then, far, near);

    assertThat(List.of(far.balance(), near.get("k"))).containsExactly(1L, 1L);
    assertThat(client().open("alice", Account.class).balance()).isEqualTo(1);
    assertThatThrownBy(() -> objects.rollBack(new Address(1_000), far))
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

  // ----------------------------------------------------------------------------------- fallback

  @Test
  void whereNobodyHostsViewsTheClientPlaysTheObjectItself() {
    cluster.close();
    cluster = RoleCluster.builder().start();
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
