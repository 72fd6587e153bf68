package corfu.cli.bench;

import corfu.bench.zookeeper.Poll;
import corfu.bench.zookeeper.ZooKeeperBenchmark;
import corfu.bench.zookeeper.ZooKeeperSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "zookeeper",
    description = {
      "Compares the service with the protocol of ZooKeeper with Apache ZooKeeper.",
      "Ours is three translation servers on a log of three servers, with three copies of each "
          + "entry. The other is an ensemble of three servers. All are processes on this machine, "
          + "and sync each write to the same disk. One process of clients, ZooKeeper's own, loads "
          + "both in turns.",
      "writes, reads: many clients. creates: one at a time. recipes: table 6.1 of the "
          + "dissertation. figures: throughput against the part of reads (figures 6.3 and 6.4); "
          + "more servers than three are simulated, with costs that are measured here. start: a "
          + "server with a million nodes."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench zookeeper --rows writes,reads --seconds 5",
      "  corfu bench zookeeper --rows figures --plot zookeeper.svg",
      "  corfu bench zookeeper --rows start --system zookeeper --nodes 100"
    })
final class BenchZooKeeperCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ZooKeeperSettings.Row> rows = Set.of();

  @Option(
      names = "--system",
      split = ",",
      paramLabel = "SYSTEM",
      description = "${COMPLETION-CANDIDATES} (default: both).")
  private Set<ZooKeeperSettings.ComparedSystem> systems = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each system (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--seconds",
      paramLabel = "TIME",
      defaultValue = "3",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration seconds = Duration.ofSeconds(3);

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "50",
      description = "Sessions (default: ${DEFAULT-VALUE}).")
  private int clients = 50;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description = "In-flight requests of each session (default: ${DEFAULT-VALUE}).")
  private int depth = 1;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      defaultValue = "512",
      description = "Data of a node (default: ${DEFAULT-VALUE}).")
  private int bytes = 512;

  @Option(
      names = "--poll",
      split = ",",
      paramLabel = "POLL",
      defaultValue = "1ms,10ms,100ms,push",
      description = {
        "Polls of our servers for the recipes: 1ms, 10ms, 100ms, push. The last one counts for the "
            + "other rows (default: ${DEFAULT-VALUE})."
      })
  private List<String> polls = List.of();

  @Option(
      names = "--reads",
      split = ",",
      paramLabel = "PERCENT",
      defaultValue = "0,25,50,75,100",
      description = "Parts of reads in the figures (default: ${DEFAULT-VALUE}).")
  private List<Integer> reads = List.of();

  @Option(
      names = "--simulated",
      split = ",",
      paramLabel = "N",
      defaultValue = "6,9",
      description = "Servers of simulated ensembles (default: ${DEFAULT-VALUE}).")
  private List<Integer> simulated = List.of();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Thousands of nodes of a server that starts (default: ${DEFAULT-VALUE}).")
  private int nodes = 1000;

  BenchZooKeeperCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("zookeeper", terminal, style, this::settings, ZooKeeperBenchmark::measure);
  }

  private ZooKeeperSettings settings() {
    return new ZooKeeperSettings(
        rows,
        systems,
        rounds,
        seconds,
        clients,
        depth,
        bytes,
        polls.stream().map(Poll::parse).toList(),
        reads,
        simulated,
        nodes,
        plot.file());
  }
}
