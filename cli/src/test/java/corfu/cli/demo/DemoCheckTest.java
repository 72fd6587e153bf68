package corfu.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.runtime.LogEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo must be able to fail, or its success says nothing. */
class DemoCheckTest {

  @TempDir Path directory;
  private DemoInput input;
  private DemoCheck check;
  private long next;

  /** Writer 0 has lines a, b; writer 1 has c, d. */
  @BeforeEach
  void open() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a\nb\nc\nd");
    input = DemoInput.ofFile(file, directory.resolve("copy"), 2);
    check = new DemoCheck(input);
  }

  @Test
  void eachWriterGetsItsPartOfTheLines() {
    assertThat(input.lines()).isEqualTo(4);
    assertThat(input.parts()).containsExactly(new DemoInput.Part(0, 2), new DemoInput.Part(4, 2));
  }

  @Test
  void linesOfWritersMayInterleaveAnyHowWithHolesBetween() {
    found(1, 0, "c");
    found(0, 0, "a");
    check.accept(new LogEntry.Hole(new Address(next++)));
    found(0, 1, "b");
    found(1, 1, "d");
    check.end();

    assertThat(check.holes()).isEqualTo(1);
  }

  @Test
  void aLineThatIsMissingIsNoticed() {
    found(0, 0, "a");
    found(1, 0, "c");
    found(1, 1, "d");

    assertThatThrownBy(check::end).hasMessageContaining("1 of the 2 lines of writer 0");
  }

  @Test
  void aLineThatIsThereTwiceIsNoticed() {
    found(0, 0, "a");

    assertThatThrownBy(() -> found(0, 0, "a")).hasMessageContaining("line 0 of writer 0 once more");
  }

  @Test
  void aLineMoreThanThereWereIsNoticed() {
    found(0, 0, "a");
    found(0, 1, "b");

    assertThatThrownBy(() -> found(0, 2, "c")).hasMessageContaining("one line more");
  }

  @Test
  void linesThatWereOvertakenAreCountedAndMayNotBeMissing() {
    found(0, 1, "b");
    assertThatThrownBy(check::end).hasMessageContaining("1 of the 2 lines of writer 0");
    found(0, 0, "a");
    found(1, 0, "c");
    found(1, 1, "d");
    check.end();

    assertThat(check.late()).isEqualTo(1);
    assertThatThrownBy(() -> found(0, 0, "a")).hasMessageContaining("once more");
  }

  @Test
  void aChangedLineIsNoticed() {
    assertThatThrownBy(() -> found(0, 0, "A")).hasMessageContaining("other text");
  }

  @Test
  void whatNobodyAppendedIsNoticed() {
    assertThatThrownBy(() -> found(7, 0, "a")).hasMessageContaining("writer 7");
    assertThatThrownBy(() -> check.accept(new LogEntry.Trimmed(Address.ZERO)))
        .hasMessageContaining("trimmed");
    assertThatThrownBy(() -> check.accept(new LogEntry.Unwritten(Address.ZERO)))
        .hasMessageContaining("unwritten");
  }

  private void found(int writer, long number, String line) {
    var payload = DemoEntry.encode(writer, number, line.getBytes(StandardCharsets.UTF_8));
    check.accept(new LogEntry.Data(new Address(next++), payload));
  }
}
