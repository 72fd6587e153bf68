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
final class AgentTurnsTest {

  private static final long TURN = AgentTurns.TURN.toMillis();

  private static HealthAssessment finding(ClusterHealth clusterHealth, ClusterProblem... ailments) {
    return new HealthAssessment(clusterHealth, List.of(ailments), OptionalLong.empty());
  }

  private static HealthAssessment ailing() {
    return finding(
        new ClusterHealths().silent(C).clusterHealth(),
        ClusterProblem.of(C, ClusterProblem.Kind.SILENT));
  }

  @Test
  void theFirstAgentActsAtOnceTheOthersDoNot() {
    assertThat(new AgentTurns(A).isOurs(ailing(), 0)).isTrue();
    assertThat(new AgentTurns(B).isOurs(ailing(), 0)).isFalse();
  }

  @Test
  void theSecondAgentActsWhenAFindingStays() {
    AgentTurns second = new AgentTurns(B);
    second.isOurs(ailing(), 0);

    assertThat(second.isOurs(ailing(), TURN - 1)).isFalse();
    assertThat(second.isOurs(ailing(), TURN)).isTrue();
  }

  @Test
  void anotherFindingGivesTheFirstAgentItsTimeAgain() {
    AgentTurns second = new AgentTurns(B);
    second.isOurs(ailing(), 0);
    second.isOurs(
        finding(
            new ClusterHealths().clusterHealth(),
            ClusterProblem.of(A, ClusterProblem.Kind.UNIT_AT_REST)),
        TURN);

    assertThat(second.isOurs(ailing(), TURN + 1)).isFalse();
  }

  @Test
  void theFirstAgentAloneActsWhereNothingAils() {
    HealthAssessment calm = finding(new ClusterHealths().clusterHealth());
    AgentTurns second = new AgentTurns(B);
    second.isOurs(calm, 0);

    assertThat(second.isOurs(calm, 10 * TURN)).isFalse();
    assertThat(new AgentTurns(A).isOurs(calm, 0)).isTrue();
  }
}
