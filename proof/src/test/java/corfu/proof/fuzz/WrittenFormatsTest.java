package corfu.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.roles.logunit.compressed.CompressedFile;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * This version writes the same bytes as the first version, so that the first version can read them,
 * too. A changed format is a new version, with its own files beside these. {@code
 * -Dgolden.write=true} writes missing files.
 */
class WrittenFormatsTest {

  private static final Path GOLDEN = Checkout.root().resolve("proof/src/test/resources/golden");

  /**
   * Returns the targets with binary seeds. Frames have their own golden vectors; layouts and JSON
   * are text that a person typed. Compressed bytes depend on the library that compresses.
   */
  private static List<FuzzTarget> targets() {
    List<String> others =
        List.of("frame", "layout", "store-json", "compressed-segment", "pki-text");
    return Targets.ALL.stream().filter(target -> !others.contains(target.name())).toList();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void whatIsWrittenIsWhatWasAlwaysWritten(FuzzTarget target) throws IOException {
    Path file = GOLDEN.resolve(target.name() + ".hex");
    List<String> written = new ArrayList<>();
    for (byte[] seed : target.seeds()) {
      written.add(HexFormat.of().formatHex(seed));
    }
    if (Boolean.getBoolean("golden.write") && !Files.exists(file)) {
      Files.createDirectories(GOLDEN);
      Files.write(file, written);
    }

    assertThat(written).isEqualTo(Files.readAllLines(file));
  }

  /** Each line of the file has a compressed log file, and its content. */
  @Test
  void compressedLogFilesOfTheFirstVersionAreRead() throws IOException {
    for (String line : Files.readAllLines(GOLDEN.resolve("compressed-segment.hex"))) {
      List<String> parts = List.of(line.split(" ", 2));
      Disk disk = new MemoryDisk();
      try (DiskFile file = disk.create("segment")) {
        file.write(ByteBuffer.wrap(HexFormat.of().parseHex(parts.getFirst())), 0);
      }
      try (DiskFile file = CompressedFile.open(disk, "segment")) {
        byte[] content = new byte[(int) file.size()];
        file.read(ByteBuffer.wrap(content), 0);
        assertThat(HexFormat.of().formatHex(content)).isEqualTo(parts.getLast());
      }
    }
  }
}
