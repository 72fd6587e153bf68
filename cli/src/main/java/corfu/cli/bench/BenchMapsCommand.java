package corfu.cli.bench;

import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.peers.MapsBenchmark;
import corfu.peers.MapsSettings;
import corfu.peers.PeerReport;
import corfu.peers.PeersPlot;
import corfu.peers.system.MapPeers;
import corfu.peers.system.Peer;
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
    name = "maps",
    description = {
      "Compares our replicated map with that of CorfuDB, in the same run.",
      "Each system has one server on loopback, in memory, and one client process, whose threads"
          + " call a map of strings in the same loops, in turns with ours: put, which learns what"
          + " there was; fastPut, which does not; a linearizable get while nobody changes the map;"
          + " transactions that read three keys and change three, of as many keys and of a hundred"
          + " times as many. A ratio is ours to the other's; the target is 10 or more for calls a"
          + " second, and 20 or more for transactions.",
      "CorfuDB is not on Maven Central. Where nobody has built and installed it, it is reported as"
          + " absent, with what to do."
    },
    footer = {
      "",
      "Systems: corfudb.",
      "",
      "Examples:",
      "  corfu bench maps --plot maps.svg",
      "  corfu bench maps --peer corfudb --threads 1 --rounds 3 --slice 1s --warmup 4s"
    })
final class BenchMapsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "NAME",
      description = "The systems to compare with (default: all).")
  private Set<String> peers = Set.of();

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
      description = "What a key holds (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 256;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that call the map (default: ${DEFAULT-VALUE}).")
  private int threads = 16;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of each; the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "How long a turn is (default: ${DEFAULT-VALUE}).")
  private Duration slice = Duration.ofSeconds(2);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long each makes each call before (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(10);

  @Mixin private final PeerSources sources = new PeerSources();

  @Option(names = "--plot", paramLabel = "FILE", description = "Draws the ratios, as SVG.")
  private Optional<Path> plot = Optional.empty();

  BenchMapsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Peer> all = MapPeers.all();
    sources.refuseUnknown(peers, all);
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
      if (plot.isPresent()) {
        Files.writeString(plot.get(), new PeersPlot(compared).toSvg());
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + plot, e);
    }
  }

  private MapsSettings settings() {
    try {
      return new MapsSettings(peers, keys, valueBytes, threads, rounds, slice, warmup);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
