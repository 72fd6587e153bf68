package corfu.cli.bench;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The number and the length of the turns of compared workloads. */
final class RoundOptions {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each workload (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--round",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration round = Duration.ofSeconds(1);

  int rounds() {
    return rounds;
  }

  Duration round() {
    return round;
  }
}
