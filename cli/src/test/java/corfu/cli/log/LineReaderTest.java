package corfu.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  @Test
  void aLineIsWhatStandsBetweenTwoEnds() {
    assertThat(linesOf("a\n\nb\r\nc\n")).containsExactly("a", "", "b\r", "c");
  }

  @Test
  void theLastLineNeedsNoEnd() {
    assertThat(linesOf("a\nb")).containsExactly("a", "b");
  }

  @Test
  void nothingHasNoLines() {
    assertThat(linesOf("")).isEmpty();
  }

  @Test
  void aLineMayComeInPieces() {
    var in = new SequenceInputStream(stream("one and a"), stream(" half\ntwo"));

    assertThat(all(new LineReader(in, 100))).containsExactly("one and a half", "two");
  }

  @Test
  void aLineLargerThanTheBufferStaysWhole() {
    String large = "x".repeat(200_000);

    assertThat(linesOf("a\n" + large + "\nb")).containsExactly("a", large, "b");
  }

  @Test
  void aLineThatIsTooLongIsNamedBeforeItIsHeld() {
    var lines = new LineReader(stream("12345\n123456\n"), 5);
    assertThat(lines.next()).isPresent();

    assertThatThrownBy(lines::next)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.TOO_LARGE))
        .hasMessageContaining("line 2");
  }

  private static List<String> linesOf(String text) {
    return all(new LineReader(stream(text), 1 << 20));
  }

  private static List<String> all(LineReader lines) {
    var all = new ArrayList<String>();
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      all.add(new String(line.get(), StandardCharsets.UTF_8));
    }
    assertThat(lines.number()).isEqualTo(all.size());
    return all;
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
