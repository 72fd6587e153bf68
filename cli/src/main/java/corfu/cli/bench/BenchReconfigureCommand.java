package corfu.cli.bench;

import corfu.bench.reconfigure.ReconfigureBenchmark;
import corfu.bench.reconfigure.ReconfigureSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "reconfigure",
    description = {
      "Measures the cost of layout changes, and prints the machine's own part beside it.",
      "stages: renewals of the layout of 8 log units with 2 replicas, step by step, without "
          + "load and beside an appending client. failures: kills of a log unit's server and of "
          + "the sequencer's; the time until the next append, and the longest read of other "
          + "units. rebuild: copies of a segment to a new unit, unthrottled beside a stream of "
          + "writes; and appends beside a copy at the default rate. scrub: appends to units that "
          + "scrub at the default rate, and to units that do not, in turns. fill: holes that a "
          + "reader fills.",
      "best is the time of the round trips and syncs that an operation cannot avoid, one "
          + "after the other, in the same run. ratio is its part of the median. --plot draws "
          + "appends and reads over time around the first death of a log unit."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench reconfigure --rounds 200 --part stages",
      "  corfu bench reconfigure --part failures --kills 8 --plot failure.svg"
    })
final class BenchReconfigureCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ReconfigureSettings.Part> parts = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Renewals of the layout, with and without load (default: ${DEFAULT-VALUE}).")
  private int rounds = 100;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "5",
      description = "Kills of each kind of server (default: ${DEFAULT-VALUE}).")
  private int kills = 5;

  @Option(
      names = "--fills",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Holes filled in each mode (default: ${DEFAULT-VALUE}).")
  private int fills = 2000;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rebuilds of each kind, rounds of scrubbing (default: ${DEFAULT-VALUE}).")
  private int copies = 5;

  @Option(
      names = "--round",
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "Length of a turn of appends beside a copy or scrubbing (default: ${DEFAULT-VALUE}).")
  private Duration round = Duration.ofSeconds(3);

  @Option(
      names = "--copied",
      paramLabel = "MIB",
      defaultValue = "512",
      description = "Size of the unthrottled copy (default: ${DEFAULT-VALUE}).")
  private int copied = 512;

  @Mixin private final PlotOption plot = new PlotOption();

  BenchReconfigureCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of(
        "reconfigure", terminal, style, this::settings, ReconfigureBenchmark::measure);
  }

  private ReconfigureSettings settings() {
    return new ReconfigureSettings(parts, rounds, kills, fills, copies, round, copied, plot.file());
  }
}
