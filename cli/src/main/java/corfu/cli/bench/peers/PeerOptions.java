package corfu.cli.bench.peers;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.peers.PeerReport;
import corfu.peers.PeersPlot;
import corfu.peers.system.PeerSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options of each comparison with other systems. */
final class PeerOptions {

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "NAME",
      description = "The systems to compare with (default: all).")
  private Set<String> peers = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Turns of each system; the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--plot", paramLabel = "FILE", description = "Draws the ratios, as SVG.")
  private Optional<Path> plot = Optional.empty();

  /**
   * @param usualRounds the default of {@code --rounds}
   */
  PeerOptions(int usualRounds) {
    rounds = usualRounds;
  }

  /** Returns the names of the systems, or nothing for all of them. */
  Set<String> peers() {
    return peers;
  }

  int rounds() {
    return rounds;
  }

  /** Refuses the command line if it names a system that is not among these. */
  void refuseUnknown(List<PeerSystem> all) {
    List<String> names = all.stream().map(PeerSystem::name).toList();
    for (String peer : peers) {
      if (!names.contains(peer)) {
        throw new CommandException(
            ExitCode.USAGE,
            "there is no peer '%s': name some of %s".formatted(peer, String.join(", ", names)));
      }
    }
  }

  /** Draws the ratios, if a picture is wanted. */
  void draw(List<PeerReport.Compared> compared) {
    if (plot.isPresent()) {
      try {
        Files.writeString(plot.get(), new PeersPlot(compared).toSvg());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + plot.get(), e);
      }
    }
  }
}
