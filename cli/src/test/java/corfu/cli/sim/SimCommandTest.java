package corfu.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

class SimCommandTest {

  @Test
  void itTellsWhatWasCheckedAndWhatWentWrongMeanwhile() {
    var ran = Ran.corfu("sim", "--runs", "2", "--seed", "7", "--plan", "kill-server,network");

    assertThat(ran.status()).as(ran.out()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .contains("operations checked:", "append", "faults injected:", "2 runs, seeds 7 to 8")
        .contains("every promise was kept");
  }

  @Test
  void jsonIsAnObjectForAllRuns() {
    var ran = Ran.corfu("sim", "--runs", "1", "--plan", "none", "--json");

    assertThat(ran.status()).as(ran.out()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).hasSize(1);
    assertThat(ran.lines().getFirst())
        .startsWith("{\"ok\":true,\"runs\":1,\"failed\":0,\"firstSeed\":1,\"lastSeed\":1,")
        .contains("\"faults\":{}", "\"operations\":{\"append\":");
  }

  @Test
  void theTraceIsEverythingThatHappens() {
    var ran = Ran.corfu("sim", "--runs", "1", "--plan", "none", "--trace");

    assertThat(ran.out()).contains("seed 1", "<- Write", "returns Appended");
  }

  @Test
  void anUnknownPlanIsExplained() {
    var ran = Ran.corfu("sim", "--plan", "meteorites");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("'meteorites'", "kill-server", "reconfiguration");
  }
}
