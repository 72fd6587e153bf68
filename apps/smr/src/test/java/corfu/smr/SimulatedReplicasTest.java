package corfu.smr;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replicated state machines in simulated clusters, whatever goes wrong there. */
class SimulatedReplicasTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(8);

  @Test
  void replicasAreTheSameAndAnswerAsOneMachineWhateverHappens() {
    assertThat(SEEDS.clean(ReplicaPlay.APPLICATION, Set.of(Fault.values())))
        .containsKeys(
            "machine swap",
            "machine read",
            "machine at last",
            "burst",
            "command in order",
            "command that shares an entry",
            "refusal",
            "checkpoint",
            "forget",
            "look at the past");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(SEEDS.clean(ReplicaPlay.APPLICATION, Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed") || what.contains("unknown"))
        .isEmpty();
  }
}
