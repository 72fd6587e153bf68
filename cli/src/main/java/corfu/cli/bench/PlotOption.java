package corfu.cli.bench;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The picture of a benchmark. */
final class PlotOption {

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draws the results as SVG; of several parts with a picture, the last one.")
  private Optional<Path> file = Optional.empty();

  Optional<Path> file() {
    return file;
  }
}
