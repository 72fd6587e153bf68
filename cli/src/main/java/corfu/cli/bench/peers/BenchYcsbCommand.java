package corfu.cli.bench.peers;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.peers.PeerReport;
import corfu.peers.YcsbBenchmark;
import corfu.peers.YcsbSettings;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.YcsbPeers;
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
    name = "ycsb",
    description = {
      "Runs YCSB's workloads A to F on Corfu-Store and on other systems, in the same run.",
      "Each system has one copy of everything. A process of its own loads it with YCSB's "
          + "own code and records of 1 KB, in turns with ours. buffered: acknowledged changes "
          + "survive the end of a process; durable: they survive a power failure. A ratio is ours "
          + "to the other's. The target is 1 or more for operations per second. docs/ycsb.md "
          + "shows how to run YCSB's own client on a cluster of yours."
    },
    footer = {
      "",
      "Systems: etcd, redis, cassandra.",
      "",
      "Examples:",
      "  corfu bench ycsb --peer cassandra --mode buffered --plot ycsb.svg",
      "  corfu bench ycsb --workload a,e --rounds 5 --slice 5s"
    })
public final class BenchYcsbCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final PeerOptions options = new PeerOptions(3);

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
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(2);

  @Mixin private final PeerSources sources = new PeerSources();

  public BenchYcsbCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var java = CorfuProgram.command();
    List<PeerSystem> all = YcsbPeers.all(java);
    options.refuseUnknown(all);
    YcsbSettings settings = settings();
    ProgramCache workshop = sources.workshop();
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
      options.draw(compared);
      return ExitCode.OK;
    }
  }

  private YcsbSettings settings() {
    try {
      return new YcsbSettings(
          options.peers(), workloads, modes, records, threads, options.rounds(), slice);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
