package corfu.proof.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The golden vectors of the wire protocol, one frame of each type. */
public final class GoldenFrames {

  private static final Path DIRECTORY = Path.of("protocol/src/test/resources/golden");

  private GoldenFrames() {}

  /** All of them, in the order of their names. */
  public static List<byte[]> all() {
    try (Stream<Path> files = Files.list(Checkout.root().resolve(DIRECTORY))) {
      return files.sorted().map(GoldenFrames::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      String hex =
          lines.filter(line -> !line.startsWith("#")).collect(Collectors.joining(" ")).strip();
      return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
