package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When an agent believes that a server has failed. */
final class SuspicionConfirmationTest {

  private final SuspicionConfirmation confirmation = new SuspicionConfirmation();
  private final ClusterHealths cluster = new ClusterHealths();

  @Test
  void aSuspicionCountsWhenItIsSeenTwice() {
    cluster.silent(B);

    assertThat(confirmation.of(cluster.clusterHealth(), 100).suspects()).isEmpty();
    assertThat(confirmation.of(cluster.clusterHealth(), 200).suspects()).containsExactly(B);
  }

  @Test
  void anotherSuspicionDoesNotConfirmIt() {
    cluster.silent(B);
    confirmation.of(cluster.clusterHealth(), 100);

    assertThat(confirmation.of(new ClusterHealths().silent(C).clusterHealth(), 200).suspects())
        .isEmpty();
  }

  @Test
  void afterThisMachineStoodStillNothingIsConfirmed() {
    cluster.silent(B);
    confirmation.of(cluster.clusterHealth(), 100);

    assertThat(confirmation.of(cluster.clusterHealth(), 1_100).suspects()).isEmpty();
    assertThat(confirmation.of(cluster.clusterHealth(), 1_200).suspects()).containsExactly(B);
  }

  @Test
  void aNewSuspicionIsDoubtedUntilTheNextLook() {
    confirmation.of(cluster.clusterHealth(), 100);
    assertThat(confirmation.hasDoubts()).isFalse();

    cluster.silent(B);
    confirmation.of(cluster.clusterHealth(), 10_100); // after a pause
    assertThat(confirmation.hasDoubts()).isTrue();

    confirmation.of(cluster.clusterHealth(), 10_200);
    assertThat(confirmation.hasDoubts()).isFalse();
  }

  /** Late signs of life of other servers raise new doubts all the time. */
  @Test
  void whatIsConfirmedWaitsForDoubtsAboutOthersForAMomentOnly() {
    cluster.silent(B);
    confirmation.of(cluster.clusterHealth(), 100);
    confirmation.of(cluster.clusterHealth(), 150);
    assertThat(confirmation.hasDoubts()).isFalse();

    confirmation.of(new ClusterHealths().silent(B).silent(C).clusterHealth(), 200);
    assertThat(confirmation.hasDoubts()).isTrue();
    confirmation.of(new ClusterHealths().silent(B).silent(A).clusterHealth(), 250);
    assertThat(confirmation.hasDoubts()).isTrue();
    confirmation.of(new ClusterHealths().silent(B).silent(C).clusterHealth(), 350);
    assertThat(confirmation.hasDoubts()).isFalse();
  }
}
