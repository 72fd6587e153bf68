package corfu.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
   * are text that a person typed.
   */
  private static List<FuzzTarget> targets() {
    List<String> others = List.of("frame", "layout", "store-json");
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
}
