package corfu.cli.bench;

import corfu.roles.logunit.options.UnitMode;
import picocli.CommandLine.Option;

/** The mode of the log units, in benchmarks whose units are in memory by default. */
final class MemoryModeOption {

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "memory",
      description = "durable, buffered or memory (default: ${DEFAULT-VALUE}).")
  private UnitMode mode = UnitMode.MEMORY;

  UnitMode mode() {
    return mode;
  }
}
