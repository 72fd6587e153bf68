package corfu.cli.bench.peers;

import corfu.peers.program.ProgramCache;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for fetching other systems. */
final class PeerSources {

  private static final String HOME = "corfu.home";

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description = "The directory of systems between runs (default: peers/target/programs).")
  private Optional<Path> cache = Optional.empty();

  @Option(
      names = "--install",
      description = "Allows the command to install packages of the distribution for a system.")
  private boolean mayInstall;

  /** Returns the place where systems are fetched, built and kept. */
  ProgramCache workshop() {
    Optional<Path> home = Optional.ofNullable(System.getProperty(HOME)).map(Path::of);
    Path kept =
        cache
            .or(() -> home.map(root -> root.resolve("peers/target/programs")))
            .orElseGet(() -> Path.of("corfu-peers"));
    return new ProgramCache(home, kept.toAbsolutePath(), mayInstall);
  }
}
