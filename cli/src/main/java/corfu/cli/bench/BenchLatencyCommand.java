package corfu.cli.bench;

import corfu.bench.log.LatencyBenchmark;
import corfu.bench.log.LatencySettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "latency",
    description = {
      "Measures the latency of lone calls from end to end: append, read, tail and fill. One "
          + "thread calls units in memory and on disk. The limit is the bare echoes over "
          + "loopback, and the synced writes, that a call cannot avoid."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench latency --plot latency.svg",
      "  corfu bench latency --mode memory --size 4096 --replicas 1 --json"
    })
final class BenchLatencyCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      defaultValue = "memory,durable",
      description = "durable, buffered or memory, or several (default: ${DEFAULT-VALUE}).")
  private List<UnitMode> modes = List.of();

  @Mixin private final EntrySizeOption size = new EntrySizeOption(256);
  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "2",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int replicas = 2;

  @Mixin private final RoundOptions turns = new RoundOptions();

  BenchLatencyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("latency", terminal, style, this::settings, LatencyBenchmark::measure);
  }

  private LatencySettings settings() {
    return new LatencySettings(
        modes, size.sizeBytes(), replicas, turns.rounds(), turns.round(), plot.file());
  }
}
