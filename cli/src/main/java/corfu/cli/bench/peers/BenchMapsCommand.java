package corfu.cli.bench.peers;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.peers.MapsBenchmark;
import corfu.peers.MapsSettings;
import corfu.peers.PeerReport;
import corfu.peers.system.MapPeers;
import corfu.peers.system.PeerSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "maps",
    description = {
      "Compares our replicated map with CorfuDB's, in the same run.",
      "Each system has one server on loopback, in memory, and one client process. The "
          + "threads of the client call a map of strings in the same loops, in turns with ours. "
          + "The calls are put, which returns the former value; fastPut, which does not; and a "
          + "linearizable get while no client changes the map. A transaction reads three keys and "
          + "changes three, of as many keys and of a hundred times as many. A ratio is ours to "
          + "the other's. The target is 10 or more for calls per second, and 20 or more for "
          + "transactions.",
      "CorfuDB is not on Maven Central. If it is not installed, the command reports it as "
          + "absent, with instructions."
    },
    footer = {
      "",
      "Systems: corfudb.",
      "",
      "Examples:",
      "  corfu bench maps --plot maps.svg",
      "  corfu bench maps --peer corfudb --threads 1 --rounds 3 --slice 1s --warmup 4s"
    })
public final class BenchMapsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Mixin private final PeerOptions options = new PeerOptions(5);

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Keys of the map (default: ${DEFAULT-VALUE}).")
  private int keys = 1000;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Size of a value (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 256;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that call the map (default: ${DEFAULT-VALUE}).")
  private int threads = 16;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(2);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Time of each call before that, for each system (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(10);

  @Mixin private final PeerSources sources = new PeerSources();

  public BenchMapsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<PeerSystem> all = MapPeers.all();
    options.refuseUnknown(all);
    MapsSettings settings = settings();
    try (var out = new CommandOutput(terminal.out())) {
      var printer = new PeerPrinter("maps", style.json(), out);
      var compared = new ArrayList<PeerReport.Compared>();
      printer.header();
      new MapsBenchmark(
              settings,
              sources.workshop(),
              MapPeers.ours(CorfuProgram.command()),
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

  private MapsSettings settings() {
    try {
      return new MapsSettings(
          options.peers(), keys, valueBytes, threads, options.rounds(), slice, warmup);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
