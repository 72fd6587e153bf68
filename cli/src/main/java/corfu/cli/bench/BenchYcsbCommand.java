package corfu.cli.bench;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.peers.PeerReport;
import corfu.peers.PeersPlot;
import corfu.peers.YcsbBenchmark;
import corfu.peers.YcsbSettings;
import corfu.peers.system.Peer;
import corfu.peers.system.Workshop;
import corfu.peers.system.YcsbPeers;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "ycsb",
    description = {
      "Runs YCSB's workloads A to F on Corfu-Store and on other systems, in the same run.",
      "Each system has one copy of everything, is loaded by a process of its own with YCSB's own"
          + " code and records of 1 KB, and takes turns with ours. buffered: what was acknowledged"
          + " survives the end of a process; durable: a power failure. A ratio is ours to the"
          + " other's; the target is 1 or more operations a second. How to run YCSB's own client on"
          + " a cluster of yours is in docs/ycsb.md."
    },
    footer = {
      "",
      "Systems: etcd, redis, cassandra.",
      "",
      "Examples:",
      "  corfu bench ycsb --peer cassandra --mode buffered --plot ycsb.svg",
      "  corfu bench ycsb --workload a,e --rounds 5 --slice 5s"
    })
final class BenchYcsbCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "NAME",
      description = "The systems to compare with (default: all).")
  private Set<String> peers = Set.of();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "LETTER",
      defaultValue = "a,b,c,d,e,f",
      description = "Workloads, in this order (default: ${DEFAULT-VALUE}).")
  private List<String> workloads = List.of();

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      defaultValue = "buffered,durable",
      description = "durable, buffered or memory, if a system has it (default: ${DEFAULT-VALUE}).")
  private Set<UnitMode> modes = Set.of();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Records of 1 KB (default: ${DEFAULT-VALUE}).")
  private int records = 10_000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads of YCSB (default: ${DEFAULT-VALUE}).")
  private int threads = 16;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each; the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "How long a turn is (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(2);

  @Mixin private final PeerSources sources = new PeerSources();

  @Option(names = "--plot", paramLabel = "FILE", description = "Draws the ratios, as SVG.")
  private Optional<Path> plot = Optional.empty();

  BenchYcsbCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var java = CorfuProgram.command();
    List<Peer> all = YcsbPeers.all(java);
    sources.refuseUnknown(peers, all);
    YcsbSettings settings = settings();
    Workshop workshop = sources.workshop();
    try (var out = new CommandOutput(terminal.out())) {
      var printer = new PeerPrinter("ycsb", style.json(), out);
      var compared = new ArrayList<PeerReport.Compared>();
      printer.header();
      new YcsbBenchmark(
              settings,
              workshop,
              YcsbPeers.ours(java),
              report -> {
                if (report instanceof PeerReport.Compared row) {
                  compared.add(row);
                }
                printer.print(report);
              })
          .run(all);
      if (plot.isPresent()) {
        Files.writeString(plot.get(), new PeersPlot(compared).toSvg());
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + plot, e);
    }
  }

  private YcsbSettings settings() {
    try {
      return new YcsbSettings(peers, workloads, modes, records, threads, rounds, slice);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
