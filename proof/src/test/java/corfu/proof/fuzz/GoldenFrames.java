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

  private static final Path RESOURCES = Path.of("protocol/src/test/resources");

  private GoldenFrames() {}

  /** Returns the frames of all versions, in the order of their names. */
  public static List<byte[]> all() {
    return Stream.of("golden", "golden-v2", "golden-v3")
        .flatMap(version -> in(version).stream())
        .toList();
  }

  private static List<byte[]> in(String directory) {
    try (Stream<Path> files = Files.list(Checkout.root().resolve(RESOURCES).resolve(directory))) {
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
