package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static corfu.node.agent.ClusterHealths.open;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.agent.ClusterProblem.Kind;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Wanted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which servers an agent drops because clients do not reach them, and when. */
final class UnreachableServersTest {

  private final ClusterHealths cluster = new ClusterHealths();
  private Watch watch = watch(Duration.ofMillis(400));
  private long now;

  private static Watch watch(Duration suspicion) {
    return new Watch(Duration.ofSeconds(10), Duration.ofMillis(300), suspicion);
  }

  private List<ClusterProblem> lookAfter(long millis) {
    now += millis;
    return watch.look(cluster.clusterHealth(), now).ailments();
  }

  private static ClusterProblem unreachable(Endpoint server) {
    return ClusterProblem.of(server, Kind.UNREACHABLE);
  }

  @Test
  void aServerThatClientsDoNotReachIsFoundByTheSecondLook() {
    cluster.unreachable(B);

    assertThat(lookAfter(0)).isEmpty();
    assertThat(lookAfter(50)).containsExactly(unreachable(B));
  }

  @Test
  void aServerThatClientsReachAgainStays() {
    cluster.unreachable(B);
    lookAfter(0);
    cluster.reached(B);
    lookAfter(50);
    cluster.unreachable(B);

    assertThat(lookAfter(50)).isEmpty();
  }

  @Test
  void aLongerSuspicionHoldsForReportsToo() {
    watch = watch(Duration.ofMillis(1_400));
    cluster.unreachable(B);
    lookAfter(0);

    assertThat(lookAfter(999)).isEmpty();
    assertThat(lookAfter(1)).containsExactly(unreachable(B));
  }

  @Test
  void oneServerLeavesAtATimeAndTheNextOnlyAfterASecond() {
    cluster.unreachable(A).unreachable(C);
    lookAfter(0);
    assertThat(lookAfter(50)).containsExactly(unreachable(A));
    assertThat(lookAfter(50)).containsExactly(unreachable(A));

    cluster.next(new Wanted(2, 2), open(0, B, C)).sequencers(B, C).reached(A);
    lookAfter(50);

    assertThat(lookAfter(999)).doesNotContain(unreachable(C));
  }

  @Test
  void theLastReplicaStays() {
    cluster.next(new Wanted(1, 1), open(0, B)).unreachable(B);
    lookAfter(0);

    assertThat(lookAfter(50)).isEmpty();
  }

  @Test
  void theOtherReplicaOfASilentServerStays() {
    cluster.next(new Wanted(2, 2), open(0, B, C)).silent(C).unreachable(B);
    lookAfter(0);

    assertThat(lookAfter(50)).doesNotContain(unreachable(B));
  }

  @Test
  void anotherServerIsChosenWhereTheFirstHasToStay() {
    cluster.next(new Wanted(1, 1), open(0, B)).sequencers(A, C).unreachable(B).unreachable(A);
    lookAfter(0);

    assertThat(lookAfter(50)).containsExactly(unreachable(A));
  }
}
