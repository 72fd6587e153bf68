package corfu.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of our pages are compiled here, and do what the pages say. */
class ExamplesTest {

  private static final String BEGIN = "<!-- example: begin -->\n```java\n";
  private static final String END = "```\n<!-- example: end -->";
  private static final String PACKAGE = "package corfu.example;\n\n";

  @ParameterizedTest
  @CsvSource({
    "README.md, HelloLog",
    "docs/streams.md, HelloStreams",
    "docs/objects.md, HelloObjects"
  })
  void thePageShowsTheExampleThatIsCompiledHere(String page, String example) throws IOException {
    Path root = root();
    String text = Files.readString(root.resolve(page));
    String compiled =
        Files.readString(root.resolve("cli/src/test/java/corfu/example/" + example + ".java"));

    assertThat(text).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String shown = text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END));
    assertThat(shown).isEqualTo(compiled.replace(PACKAGE, ""));
  }

  @Test
  void theExampleOfTheLogRuns() {
    assertThat(outputOf(() -> HelloLog.main(new String[0])))
        .containsExactly("0: hello", "1: world");
  }

  @Test
  void theExampleOfStreamsRuns() {
    assertThat(outputOf(() -> HelloStreams.main(new String[0])))
        .contains("0, log 0: one book", "1, log 1: two pens", "2, log 2: a lamp", "3", "at 3");
  }

  @Test
  void theExampleOfObjectsRuns() {
    assertThat(outputOf(() -> HelloObjects.main(new String[0])))
        .containsExactly("alice would have 70", "70 and 30", "there is only 30", "alice had 100");
  }

  private static List<String> outputOf(Runnable example) {
    var out = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      example.run();
    } finally {
      System.setOut(console);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("README.md"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("run inside the checkout");
      }
    }
    return directory;
  }
}
