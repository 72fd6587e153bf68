package corfu.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README's example is {@link HelloLog}, and that does what the README says. */
class ReadmeExampleTest {

  private static final String BEGIN = "<!-- example: begin -->\n```java\n";
  private static final String END = "```\n<!-- example: end -->";
  private static final String PACKAGE = "package corfu.example;\n\n";

  @Test
  void theReadmeShowsTheExampleThatIsCompiledHere() throws IOException {
    Path root = root();
    String readme = Files.readString(root.resolve("README.md"));
    String example =
        Files.readString(root.resolve("cli/src/test/java/corfu/example/HelloLog.java"));

    assertThat(readme).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String shown = readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END));
    assertThat(shown).isEqualTo(example.replace(PACKAGE, ""));
  }

  @Test
  void theExampleRuns() {
    var out = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      HelloLog.main(new String[0]);
    } finally {
      System.setOut(console);
    }

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("0: hello", "1: world");
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
