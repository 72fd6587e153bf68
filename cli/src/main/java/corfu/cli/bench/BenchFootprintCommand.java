package corfu.cli.bench;

import corfu.bench.log.MemoryBenchmark;
import corfu.bench.log.MemorySettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "footprint",
    description = {
      "Measures the cost of a log unit with many entries. Memory: the resident memory of "
          + "its process, beside a unit without entries. Restart: the time from a kill until it "
          + "serves again. Flood: whether memory grows during appends.",
      "The unit writes to the page cache, and is the only server."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench footprint --entries 10000000 --flood 10m",
      "  corfu bench footprint --entries 100000000 --size 32 --json"
    })
final class BenchFootprintCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final EntrySizeOption size = new EntrySizeOption(64);

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "4000000",
      description = "Entries of the unit (default: ${DEFAULT-VALUE}).")
  private int entries = 4_000_000;

  @Option(
      names = "--flood",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "Time of the flood of appends (default: ${DEFAULT-VALUE}).")
  private Duration flood = Duration.ofSeconds(60);

  BenchFootprintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("footprint", terminal, style, this::settings, MemoryBenchmark::measure);
  }

  private MemorySettings settings() {
    return new MemorySettings(size.sizeBytes(), entries, flood);
  }
}
