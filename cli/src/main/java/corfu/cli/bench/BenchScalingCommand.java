package corfu.cli.bench;

import corfu.bench.log.ScalingBenchmark;
import corfu.bench.log.ScalingSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "scaling",
    description = {
      "Measures throughput against the number of log units, one process each, all on this "
          + "machine. Also simulates as many units with a machine for each. The simulation is a "
          + "model of queues. Its costs are measured in the same run: processor time of messages "
          + "and entries, syncs and bytes of the disk. Its network is given."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench scaling --plot scaling.svg",
      "  corfu bench scaling --units 1,2 --simulated 2,8,32 --nic 1 --mode memory"
    })
final class BenchScalingCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final MemoryModeOption mode = new MemoryModeOption();
  @Mixin private final EntrySizeOption size = new EntrySizeOption(4096);
  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--units",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4,8",
      description = "Log units on this machine, one run each (default: ${DEFAULT-VALUE}).")
  private List<Integer> units = List.of();

  @Option(
      names = "--simulated",
      split = ",",
      paramLabel = "N",
      defaultValue = "2,4,8,16,32,64",
      description = "Log units on simulated machines (default: ${DEFAULT-VALUE}).")
  private List<Integer> simulated = List.of();

  @Option(
      names = "--nic",
      paramLabel = "GBIT",
      defaultValue = "1",
      description =
          "Bandwidth of the simulated network cards; in the paper: 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double nicGigabits = 1;

  @Option(
      names = "--round",
      paramLabel = "TIME",
      defaultValue = "6s",
      description = "Measured time of each number of units (default: ${DEFAULT-VALUE}).")
  private Duration round = Duration.ofSeconds(6);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Time of each before that (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(5);

  BenchScalingCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("scaling", terminal, style, this::settings, ScalingBenchmark::measure);
  }

  private ScalingSettings settings() {
    return new ScalingSettings(
        mode.mode(), size.sizeBytes(), units, simulated, nicGigabits, round, warmup, plot.file());
  }
}
