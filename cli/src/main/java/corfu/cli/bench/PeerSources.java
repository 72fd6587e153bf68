package corfu.cli.bench;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.peers.system.Peer;
import corfu.peers.system.Workshop;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Where commands get other systems from. */
final class PeerSources {

  private static final String HOME = "corfu.home";

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description = "Where systems are kept between runs (default: peers/target/programs).")
  private Optional<Path> cache = Optional.empty();

  @Option(
      names = "--install",
      description = "Lets it install packages of the distribution where a system needs some.")
  private boolean mayInstall;

  /** Those that are asked for must be there. */
  void refuseUnknown(Set<String> asked, List<Peer> all) {
    List<String> names = all.stream().map(Peer::name).toList();
    for (String peer : asked) {
      if (!names.contains(peer)) {
        throw new CommandException(
            ExitCode.USAGE,
            "there is no peer '%s': name some of %s".formatted(peer, String.join(", ", names)));
      }
    }
  }

  Workshop workshop() {
    Optional<Path> home = Optional.ofNullable(System.getProperty(HOME)).map(Path::of);
    Path kept =
        cache
            .or(() -> home.map(root -> root.resolve("peers/target/programs")))
            .orElseGet(() -> Path.of("corfu-peers"));
    return new Workshop(home, kept.toAbsolutePath(), mayInstall);
  }
}
