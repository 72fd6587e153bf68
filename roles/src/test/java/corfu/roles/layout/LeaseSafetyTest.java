package corfu.roles.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseSafetyTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void whenALayoutMayBeDecidedNobodyItDropsHoldsALease(int acceptors) {
    int runs = 2_000;
    int cutOff = 0;
    for (int seed = 0; seed < runs; seed++) {
      LeaseSimulation.Outcome outcome = new LeaseSimulation(seed, acceptors).run();
      cutOff += outcome.sawPhase2() && outcome.heldLease() ? 1 : 0;
    }
    assertThat(cutOff).as("runs in which a lease had to be waited out").isGreaterThan(runs / 4);
  }
}
