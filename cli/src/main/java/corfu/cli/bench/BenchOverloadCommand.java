package corfu.cli.bench;

import corfu.bench.log.OverloadBenchmark;
import corfu.bench.log.OverloadSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "overload",
    description = {
      "Offers appends at a steady rate, however long earlier ones take. The load goes from "
          + "a part of the rate of a flood to several times as much. The results are acknowledged "
          + "appends per second, their latency, and the memory of the servers.",
      "If the client has no room for an append, it turns the append away and counts it. "
          + "Times are of accepted appends, and include the wait for room."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench overload --plot overload.svg",
      "  corfu bench overload --mode memory --size 4096 --load 1,2,4,8 --json"
    })
final class BenchOverloadCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final DurableLogOptions log = new DurableLogOptions();
  @Mixin private final EntrySizeOption size = new EntrySizeOption(256);
  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--load",
      split = ",",
      paramLabel = "PART",
      defaultValue = "0.25,0.5,0.75,0.9,1,1.25,1.5,2,3",
      description = "Offered loads, in parts of the rate of a flood (default: ${DEFAULT-VALUE}).")
  private List<Double> loads = List.of();

  @Option(
      names = "--round",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Time of each load (default: ${DEFAULT-VALUE}).")
  private Duration round = Duration.ofSeconds(5);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Time of the flood before it counts (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(10);

  BenchOverloadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("overload", terminal, style, this::settings, OverloadBenchmark::measure);
  }

  private OverloadSettings settings() {
    return new OverloadSettings(
        log.mode(), size.sizeBytes(), log.replicas(), loads, round, warmup, plot.file());
  }
}
