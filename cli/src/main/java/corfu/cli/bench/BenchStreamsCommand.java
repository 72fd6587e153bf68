package corfu.cli.bench;

import corfu.bench.stream.StreamsBenchmark;
import corfu.bench.stream.StreamsSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "streams",
    description = {
      "Measures the cost of streams, with backpointers and with stream replicas, on "
          + "clusters of as many copies. Workloads take turns.",
      "append: entries of 32 bytes to 1, 2, 4 and 8 streams, beside appends to none. read: "
          + "whole streams with few and many others in the log; and long ones of 4 KiB entries "
          + "beside the machine's bandwidth. hole: streams with abandoned tokens, played to their "
          + "ends; best is the same stream without a hole. failover: a new sequencer without the "
          + "ends of the streams. degraded: the only stream replica is killed; --plot draws "
          + "appends and reads around this. push: the time from an append to the call of a "
          + "subscriber."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench streams --part append,read --round 2s",
      "  corfu bench streams --part hole --streams 32,1000",
      "  corfu bench streams --part degraded --plot degraded.svg"
    })
final class BenchStreamsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<StreamsSettings.Part> parts = Set.of();

  @Mixin private final MemoryModeOption mode = new MemoryModeOption();
  @Mixin private final PlotOption plot = new PlotOption();

  @Mixin private final RoundOptions turns = new RoundOptions();

  @Option(
      names = "--streams",
      split = ",",
      paramLabel = "N",
      defaultValue = "32,1000,100000",
      description = "Streams in the log for reads, one run each (default: ${DEFAULT-VALUE}).")
  private List<Integer> streams = List.of();

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "400000",
      description = "Entries in the log for reads of streams (default: ${DEFAULT-VALUE}).")
  private int entries = 400_000;

  @Option(
      names = "--holes",
      paramLabel = "N",
      defaultValue = "6",
      description = "Streams with each kind of hole (default: ${DEFAULT-VALUE}).")
  private int holes = 6;

  @Option(
      names = "--live",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Streams of the failover (default: ${DEFAULT-VALUE}).")
  private int live = 1_000_000;

  @Option(
      names = "--failovers",
      paramLabel = "N",
      defaultValue = "10",
      description = "Failovers of the sequencer (default: ${DEFAULT-VALUE}).")
  private int failovers = 10;

  @Option(
      names = "--subscriptions",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Subscriptions of one client (default: ${DEFAULT-VALUE}).")
  private int subscriptions = 10_000;

  BenchStreamsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("streams", terminal, style, this::settings, StreamsBenchmark::measure);
  }

  private StreamsSettings settings() {
    return new StreamsSettings(
        parts,
        mode.mode(),
        turns.rounds(),
        turns.round(),
        streams,
        entries,
        holes,
        live,
        failovers,
        subscriptions,
        plot.file());
  }
}
