package corfu.cli.bench;

import corfu.roles.logunit.options.UnitMode;
import picocli.CommandLine.Option;

/** The log of benchmarks whose units are on disk by default, with two copies of each entry. */
final class DurableLogOptions {

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "durable",
      description = "durable, buffered or memory (default: ${DEFAULT-VALUE}).")
  private UnitMode mode = UnitMode.DURABLE;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "2",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int replicas = 2;

  UnitMode mode() {
    return mode;
  }

  int replicas() {
    return replicas;
  }
}
