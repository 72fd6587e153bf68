package corfu.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.SimulationSeeds;
import corfu.sim.fault.Fault;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A mirror and its source in one simulated network, whatever goes wrong in both. */
class SimulatedMirrorTest {

  private static final SimulationSeeds SEEDS = SimulationSeeds.ofTest(8);

  @Test
  void aMirrorShowsAPrefixAndComesToTheEndWhateverHappens() {
    assertThat(SEEDS.clean(MirrorPlay.mirrored(), Set.of(Fault.values())))
        .containsKeys("append", "mirror", "look at the mirror", "look at a stream of the mirror");
  }

  @Test
  void aMirrorThatIsCutOffForLongerThanHistoryIsKeptGoesOnIfItIsTold() {
    assertThat(SEEDS.clean(MirrorPlay.mirroredFromAForgetfulSource(), Set.of(Fault.values())))
        .containsKeys("stream trim", "prefix trim", "mirror ends: CUT_OFF", "goes on across trims");
  }

  @Test
  void aMirrorIsPromotedWhileItsSourceLives() {
    assertThat(SEEDS.clean(MirrorPlay.promoted(), Set.of(Fault.values())))
        .containsKeys("promotion", "ownappend", "mirror ends: PROMOTED");
  }

  @Test
  void withoutFaultsEverythingSucceeds() {
    assertThat(SEEDS.clean(MirrorPlay.mirrored(), Set.of()).keySet())
        .filteredOn(what -> what.contains(", failed"))
        .isEmpty();
  }
}
