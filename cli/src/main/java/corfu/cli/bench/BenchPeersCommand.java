package corfu.cli.bench;

import corfu.bench.Benchmark;
import corfu.bench.harness.BenchSettings;
import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.local.JavaCommand;
import corfu.peers.PeerReport;
import corfu.peers.PeersBenchmark;
import corfu.peers.PeersPlot;
import corfu.peers.PeersSettings;
import corfu.peers.system.CorfuSystem;
import corfu.peers.system.Peer;
import corfu.peers.system.Peers;
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
    name = "peers",
    description = {
      "Compares appends with other systems, in the same run.",
      "Each system is started on loopback for the same number of copies and the same durability as"
          + " ours, loaded by one client process with the same loops, in turns with ours, and"
          + " stopped. First a flood, which shows the throughput; then one append at a time; then"
          + " an open loop at half of what the slower one can do, which shows latencies at the same"
          + " load. memory: nothing survives the end of a process; buffered: what was acknowledged"
          + " does; durable: it survives a power failure.",
      "Systems are got hold of by Maven and Go, and stay in a cache. A system that cannot be"
          + " measured is reported as absent, with the reason. A ratio is ours to the other's; the"
          + " target is 2 or more for appends a second of a flood, 1 or less for latencies."
    },
    footer = {
      "",
      "Systems: bookkeeper, kafka, zookeeper, etcd, nats, redis.",
      "",
      "Examples:",
      "  corfu bench peers --quick --plot peers.svg",
      "  corfu bench peers --peer kafka,redis --mode durable --size 256"
    })
final class BenchPeersCommand implements Callable<Integer> {

  private static final Duration QUICK_SLICE = Duration.ofMillis(400);
  private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "NAME",
      description = "The systems to compare with (default: all).")
  private Set<String> peers = Set.of();

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "BYTES",
      defaultValue = "256,4096",
      description = "What an entry carries (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "256",
      description = "Appends under way in a flood (default: ${DEFAULT-VALUE}).")
  private int depth = 256;

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      description = "durable, buffered or memory (default: those that a system has).")
  private Set<UnitMode> modes = Set.of();

  @Option(
      names = "--copies",
      split = ",",
      paramLabel = "N",
      description = "Copies of each entry (default: those that make sense for a system).")
  private Set<Integer> copies = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each; the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "How long a turn is (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(1);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "6s",
      description = "How long each is loaded before, less once warm (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(6);

  @Option(names = "--quick", description = "Three rounds of 400 ms, after 3 s: less to rely on.")
  private boolean isQuick;

  @Mixin private final PeerSources sources = new PeerSources();

  @Option(names = "--plot", paramLabel = "FILE", description = "Draws the ratios, as SVG.")
  private Optional<Path> plot = Optional.empty();

  BenchPeersCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var java = CorfuProgram.command();
    List<Peer> all = Peers.all(java);
    var settings = settings(all);
    try (var out = new CommandOutput(terminal.out())) {
      var printer = new PeerPrinter("peers", style.json(), out);
      var compared = new ArrayList<PeerReport.Compared>();
      measureLimits(java, printer);
      printer.header();
      new PeersBenchmark(
              settings,
              sources.workshop(),
              new CorfuSystem(java),
              report -> {
                if (report instanceof PeerReport.Compared row) {
                  compared.add(row);
                }
                printer.print(report);
              })
          .run(all);
      measureLimits(java, printer);
      plot.ifPresent(file -> draw(new PeersPlot(compared), file));
      return ExitCode.OK;
    }
  }

  private PeersSettings settings(List<Peer> all) {
    sources.refuseUnknown(peers, all);
    try {
      return new PeersSettings(
          peers,
          sizes,
          depth,
          modes,
          copies,
          isQuick ? 3 : rounds,
          isQuick ? QUICK_SLICE : slice,
          isQuick ? QUICK_WARMUP : warmup);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** Before and after, so that a machine that changed meanwhile shows. */
  private void measureLimits(JavaCommand java, PeerPrinter printer) {
    var settings =
        new BenchSettings(
            sizes,
            List.of(1),
            List.of(1, depth),
            UnitMode.DURABLE,
            1,
            1,
            Duration.ofMillis(500),
            Duration.ofMillis(200));
    Benchmark.LIMITS.measure(settings, java, printer::printLimit);
  }

  private static void draw(PeersPlot picture, Path file) {
    try {
      Files.writeString(file, picture.toSvg());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
