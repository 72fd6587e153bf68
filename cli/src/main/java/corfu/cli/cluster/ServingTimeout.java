package corfu.cli.cluster;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The option for the time limit until the cluster serves. */
final class ServingTimeout {

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "Time limit until the cluster serves, as 60s or 2m (default: 60s).")
  private Duration timeout = Duration.ofSeconds(60);

  Duration value() {
    return timeout;
  }
}
