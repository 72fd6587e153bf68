package corfu.node.agent;

import static corfu.node.agent.Outlooks.A;
import static corfu.node.agent.Outlooks.B;
import static corfu.node.agent.Outlooks.C;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When an agent believes that a server has failed. */
final class ConfirmationTest {

  private final Confirmation confirmation = new Confirmation();
  private final Outlooks cluster = new Outlooks();

  @Test
  void aSuspicionCountsWhenItIsSeenTwice() {
    cluster.silent(B);

    assertThat(confirmation.of(cluster.outlook(), 100).suspects()).isEmpty();
    assertThat(confirmation.of(cluster.outlook(), 200).suspects()).containsExactly(B);
  }

  @Test
  void anotherSuspicionDoesNotConfirmIt() {
    cluster.silent(B);
    confirmation.of(cluster.outlook(), 100);

    assertThat(confirmation.of(new Outlooks().silent(C).outlook(), 200).suspects()).isEmpty();
  }

  @Test
  void afterThisMachineStoodStillNothingIsConfirmed() {
    cluster.silent(B);
    confirmation.of(cluster.outlook(), 100);

    assertThat(confirmation.of(cluster.outlook(), 1_100).suspects()).isEmpty();
    assertThat(confirmation.of(cluster.outlook(), 1_200).suspects()).containsExactly(B);
  }

  @Test
  void aNewSuspicionIsDoubtedUntilTheNextLook() {
    confirmation.of(cluster.outlook(), 100);
    assertThat(confirmation.hasDoubts()).isFalse();

    cluster.silent(B);
    confirmation.of(cluster.outlook(), 10_100); // after a pause
    assertThat(confirmation.hasDoubts()).isTrue();

    confirmation.of(cluster.outlook(), 10_200);
    assertThat(confirmation.hasDoubts()).isFalse();
  }

  /** Late signs of life of other servers raise new doubts all the time. */
  @Test
  void whatIsConfirmedWaitsForDoubtsAboutOthersForAMomentOnly() {
    cluster.silent(B);
    confirmation.of(cluster.outlook(), 100);
    confirmation.of(cluster.outlook(), 150);
    assertThat(confirmation.hasDoubts()).isFalse();

    confirmation.of(new Outlooks().silent(B).silent(C).outlook(), 200);
    assertThat(confirmation.hasDoubts()).isTrue();
    confirmation.of(new Outlooks().silent(B).silent(A).outlook(), 250);
    assertThat(confirmation.hasDoubts()).isTrue();
    confirmation.of(new Outlooks().silent(B).silent(C).outlook(), 350);
    assertThat(confirmation.hasDoubts()).isFalse();
  }
}
