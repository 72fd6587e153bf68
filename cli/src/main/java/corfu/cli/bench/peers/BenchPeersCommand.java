package corfu.cli.bench.peers;

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
import corfu.peers.PeersSettings;
import corfu.peers.system.CorfuSystem;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Peers;
import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "peers",
    description = {
      "Compares appends with other systems, in the same run.",
      "Each system runs on loopback with the same number of copies and the same durability "
          + "as ours. One client process loads it with the same loops, in turns with ours. First "
          + "a flood shows the throughput. Then appends come one at a time. Then an open loop at "
          + "half of the slower system's rate shows latencies at the same load. memory: nothing "
          + "survives the end of a process; buffered: acknowledged entries do; durable: they "
          + "survive a power failure.",
      "Maven and Go fetch the systems, which stay in a cache. A system that cannot be "
          + "measured is reported as absent, with the reason. A ratio is ours to the other's. The "
          + "target is 2 or more for appends per second of a flood, and 1 or less for latencies."
    },
    footer = {
      "",
      "Systems: bookkeeper, kafka, zookeeper, etcd, nats, redis.",
      "",
      "Examples:",
      "  corfu bench peers --quick --plot peers.svg",
      "  corfu bench peers --peer kafka,redis --mode durable --size 256"
    })
public final class BenchPeersCommand implements Callable<Integer> {

  private static final Duration QUICK_SLICE = Duration.ofMillis(400);
  private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final PeerOptions options = new PeerOptions(5);

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "BYTES",
      defaultValue = "256,4096",
      description = "Payload of an entry (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "256",
      description = "In-flight appends of a flood (default: ${DEFAULT-VALUE}).")
  private int depth = 256;

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      description = "durable, buffered or memory (default: all modes of a system).")
  private Set<UnitMode> modes = Set.of();

  @Option(
      names = "--copies",
      split = ",",
      paramLabel = "N",
      description = "Copies of each entry (default: the usual numbers of a system).")
  private Set<Integer> copies = Set.of();

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(1);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "6s",
      description =
          "Load of each system before that, less if it is warm (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(6);

  @Option(names = "--quick", description = "Three rounds of 400 ms, after 3 s: less reliable.")
  private boolean isQuick;

  @Mixin private final PeerSources sources = new PeerSources();

  public BenchPeersCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var java = CorfuProgram.command();
    List<PeerSystem> all = Peers.all(java);
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
      options.draw(compared);
      return ExitCode.OK;
    }
  }

  private PeersSettings settings(List<PeerSystem> all) {
    options.refuseUnknown(all);
    try {
      return new PeersSettings(
          options.peers(),
          sizes,
          depth,
          modes,
          copies,
          isQuick ? 3 : options.rounds(),
          isQuick ? QUICK_SLICE : slice,
          isQuick ? QUICK_WARMUP : warmup);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Measures the machine's limits. It runs before and after the comparison, to show changes of the
   * machine.
   */
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
}
