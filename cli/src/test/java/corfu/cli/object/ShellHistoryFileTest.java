package corfu.cli.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellHistoryFileTest {

  private static final Path HOME = Path.of("/home/alice");

  @TempDir Path directory;

  /** Types lines into a session, and returns the history that the session began with. */
  private static List<String> session(Path file, String... lines) throws IOException {
    var typed = new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes(UTF_8));
    try (var screen = new DumbTerminal(typed, new ByteArrayOutputStream())) {
      LineReader reader = LineReaderBuilder.builder().terminal(screen).build();
      ShellHistory.keep(reader, file);
      List<String> earlier = new ArrayList<>();
      reader.getHistory().forEach(entry -> earlier.add(entry.line()));
      try {
        while (true) {
          String unused = reader.readLine("> ");
        }
      } catch (EndOfFileException end) {
        return earlier;
      }
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void theFileIsInTheUsersStateDirectory() {
    assertThat(ShellHistory.file(Map.of(), HOME))
        .isEqualTo(Path.of("/home/alice/.local/state/corfu/shell-history"));
    assertThat(ShellHistory.file(Map.of("XDG_STATE_HOME", "/state"), HOME))
        .isEqualTo(Path.of("/state/corfu/shell-history"));
    assertThat(ShellHistory.file(Map.of("XDG_STATE_HOME", ""), HOME))
        .isEqualTo(Path.of("/home/alice/.local/state/corfu/shell-history"));
  }

  @Test
  void aSessionRemembersTheLinesOfEarlierOnes() throws IOException {
    Path file = ShellHistory.file(Map.of("XDG_STATE_HOME", directory.toString()), HOME);

    assertThat(session(file, "open map m", "m.put alice 5")).isEmpty();
    assertThat(session(file, "m.size")).containsExactly("open map m", "m.put alice 5");
    assertThat(session(file)).containsExactly("open map m", "m.put alice 5", "m.size");
  }

  @Test
  void onlyTheOwnerMayReadTheFile() throws IOException {
    Path file = directory.resolve("state").resolve("corfu").resolve("shell-history");
    session(file, "open map m");
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(file.getParent())).isEqualTo("rwx------");

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    session(file, "m.size");
    assertThat(permissions(file)).isEqualTo("rw-------");
  }

  @Test
  void theFileIsBounded() throws IOException {
    Path file = directory.resolve("shell-history");
    String[] lines = new String[3 * ShellHistory.LINES];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = "m.put k " + i;
    }

    session(file, lines);

    assertThat(session(file)).hasSize(ShellHistory.LINES).endsWith("m.put k 2999");
    assertThat(Files.readAllLines(file)).hasSizeLessThanOrEqualTo(2 * ShellHistory.LINES);
    assertThat(permissions(file)).isEqualTo("rw-------");
  }
}
