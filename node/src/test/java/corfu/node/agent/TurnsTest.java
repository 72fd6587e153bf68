package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which of several agents acts. */
final class TurnsTest {

  private static final long TURN = Turns.TURN.toMillis();

  private static Finding finding(ClusterHealth clusterHealth, Ailment... ailments) {
    return new Finding(clusterHealth, List.of(ailments), OptionalLong.empty());
  }

  private static Finding ailing() {
    return finding(
        new ClusterHealths().silent(C).clusterHealth(), Ailment.of(C, Ailment.Kind.SILENT));
  }

  @Test
  void theFirstAgentActsAtOnceTheOthersDoNot() {
    assertThat(new Turns(A).isOurs(ailing(), 0)).isTrue();
    assertThat(new Turns(B).isOurs(ailing(), 0)).isFalse();
  }

  @Test
  void theSecondAgentActsWhenAFindingStays() {
    Turns second = new Turns(B);
    second.isOurs(ailing(), 0);

    assertThat(second.isOurs(ailing(), TURN - 1)).isFalse();
    assertThat(second.isOurs(ailing(), TURN)).isTrue();
  }

  @Test
  void anotherFindingGivesTheFirstAgentItsTimeAgain() {
    Turns second = new Turns(B);
    second.isOurs(ailing(), 0);
    second.isOurs(
        finding(new ClusterHealths().clusterHealth(), Ailment.of(A, Ailment.Kind.UNIT_AT_REST)),
        TURN);

    assertThat(second.isOurs(ailing(), TURN + 1)).isFalse();
  }

  @Test
  void theFirstAgentAloneActsWhereNothingAils() {
    Finding calm = finding(new ClusterHealths().clusterHealth());
    Turns second = new Turns(B);
    second.isOurs(calm, 0);

    assertThat(second.isOurs(calm, 10 * TURN)).isFalse();
    assertThat(new Turns(A).isOurs(calm, 0)).isTrue();
  }
}
