package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.internal.client.LogPrefix;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.objects.internal.view.PastStates;
import corfu.objects.internal.view.View;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.StreamEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The snapshots for which a stored past state is used. */
class PastStatesTest {

  private final RoleCluster cluster = RoleCluster.builder().start();
  private final Corfu corfu = cluster.connect();
  private final ReplicatedMap<String, Long> map =
      ReplicatedObjects.over(corfu).open("map", ReplicatedMap.of(String.class, Long.class));
  private final View<?> view = ObjectInvoker.viewOf(map);
  private final PastStates<?> past = new PastStates<>(view);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private StreamEnds ends() {
    return view.client().streamEnds().ask(view);
  }

  /** Returns the log's end, below which everything is decided. */
  private long now() {
    long tail = corfu.log().tail().value();
    view.client().decide("map", new Address(tail));
    return tail;
  }

  private long newestSeenAt(long before, long decidedBelow, StreamEnds ends) {
    LogPrefix wanted = LogPrefix.of(ends).decidedAt(before);
    return past.at(wanted, decidedBelow, ends).newestBelow(before);
  }

  private long put(long value) {
    map.fastPut("k", value);
    return ends().newest(view.stream());
  }

  @Test
  void whatWasDecidedAfterTheStreamsEndWasAskedForIsNotTakenForSeen() {
    long first = put(1);
    long early = now();
    long decidedThen = view.client().decidedBelow();
    StreamEnds endsThen = ends();
    long second = put(2);
    long late = now(); // another thread decides it while the first one plays

    assertThat(newestSeenAt(early, decidedThen, endsThen)).isEqualTo(first);
    assertThat(newestSeenAt(late, view.client().decidedBelow(), ends())).isEqualTo(second);
  }

  @Test
  void oneStateIsForAllSnapshotsBetweenTwoChangesAndForThoseBeyond() {
    long first = put(1);
    corfu.log().append(new byte[] {1});
    corfu.log().append(new byte[] {2});
    long second = put(2);
    long end = now();

    StreamEnds ends = ends();
    assertThat(newestSeenAt(first + 1, end, ends)).isEqualTo(first);
    assertThat(newestSeenAt(second, end, ends)).isEqualTo(first);
    assertThat(newestSeenAt(second + 1, end, ends)).isEqualTo(second);
    assertThat(past.count()).isEqualTo(1);
  }

  @Test
  void fewAreKept() {
    for (long i = 0; i < 10; i++) {
      long newest = put(i);
      long end = now();
      assertThat(newestSeenAt(end, end, ends())).isEqualTo(newest);
    }

    assertThat(past.count()).isBetween(1, 4);
  }
}
