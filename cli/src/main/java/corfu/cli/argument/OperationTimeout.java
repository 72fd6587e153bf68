package corfu.cli.argument;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The option for the time limit of each operation. */
public final class OperationTimeout {

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Time limit of each operation, as 500ms, 10s or 2m (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  /** Returns the time limit. */
  public Duration value() {
    return timeout;
  }
}
