package corfu.example;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of our pages are compiled here, and do what the pages say. */
class ExamplesTest {

  private static final String BEGIN = "<!-- example: begin -->\n```java\n";
  private static final String CODE = "```java\n";
  private static final String END = "```\n<!-- example: end -->";
  private static final String PACKAGE = "package corfu.example;\n\n";

  @ParameterizedTest
  @CsvSource({
    "README.md, HelloLog",
    "docs/streams.md, HelloStreams",
    "docs/tour.md, Bank",
    "docs/objects.md, HelloObjects",
    "docs/objects.md, HelloInLog",
    "docs/objects.md, HelloRemoteViews",
    "docs/transactions.md, HelloTransactions",
    "docs/composed.md, HelloComposed"
  })
  void thePageShowsTheExampleThatIsCompiledHere(String page, String example) throws IOException {
    Path root = root();
    String text = Files.readString(root.resolve(page));
    String compiled =
        Files.readString(root.resolve("cli/src/test/java/corfu/example/" + example + ".java"));

    List<String> shown = examplesIn(text);
    String name = "public class " + example + " {";
    assertThat(shown.stream().filter(one -> one.contains(name)))
        .containsExactly(compiled.replace(PACKAGE, ""));
  }

  @Test
  void everyPageWithAnExampleIsNamedHere() throws IOException, NoSuchMethodException {
    CsvSource named =
        ExamplesTest.class
            .getDeclaredMethod(
                "thePageShowsTheExampleThatIsCompiledHere", String.class, String.class)
            .getAnnotation(CsvSource.class);
    long examples = 0;
    for (Path page : pages()) {
      examples += examplesIn(Files.readString(page)).size();
    }
    assertThat(named.value()).hasSize((int) examples);
  }

  @Test
  void whatIsNoWholeProgramIsCompiledToo() throws IOException {
    Path examples = root().resolve("cli/src/test/java/corfu/example");
    String compiled =
        words(Files.readString(examples.resolve("Snippets.java")))
            + words(Files.readString(examples.resolve("HelloCollections.java")));
    for (Path page : pages()) {
      String text = Files.readString(page);
      for (int at = text.indexOf(CODE); at >= 0; at = text.indexOf(CODE, at + 1)) {
        if (!text.startsWith(BEGIN, at - BEGIN.length() + CODE.length())) {
          String code = text.substring(at + CODE.length(), text.indexOf("```", at + CODE.length()));
          assertThat(compiled).as(page.toString()).contains(words(code));
        }
      }
    }
  }

  private static String words(String code) {
    return code.strip().replaceAll("\\s+", " ");
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root().resolve("README.md")));
    try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /** Each is between its begin and its end. */
  private static List<String> examplesIn(String text) {
    List<String> examples = new ArrayList<>();
    for (int at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
      int end = text.indexOf(END, at);
      assertThat(end).isPositive();
      examples.add(text.substring(at + BEGIN.length(), end));
    }
    return examples;
  }

  @Test
  void theExampleOfABankRunsAndFindsAgainWhatItLeft(@TempDir Path directory) {
    String[] arguments = {directory.toString()};
    assertThat(outputOf(() -> Bank.main(arguments))).containsExactly("alice has 70, bob has 30");
    assertThat(outputOf(() -> Bank.main(arguments))).containsExactly("alice has 140, bob has 60");
  }

  @Test
  void theExampleOfTransactionsRuns() {
    assertThat(outputOf(() -> HelloTransactions.main(new String[0])))
        .containsExactly(
            "7 pens are left",
            "lost: stock, books",
            "10 pens in all; none were sold in the morning: true",
            "10 pens, 0 things sold",
            "2 things, before that");
  }

  @Test
  void theExampleOfRemoteViewsRuns() {
    assertThat(outputOf(() -> HelloRemoteViews.main(new String[0])))
        .containsExactly("10 pens", "10 before", "8 books", "10 in the morning");
  }

  @Test
  void theExamplesOfCollectionsRun() {
    assertThat(outputOf(() -> HelloCollections.main(new String[0])))
        .containsExactly(
            "9 pens, 2 things",
            "added again: false",
            "in Rome: [u2]",
            "blue: 2",
            "in Rome: []",
            "{5000=went on, 9000=ended} after 3000=began",
            "first: wash, last: eat",
            "left: [cut, cook, serve]",
            "leads: true, node 1",
            "visit 2",
            "done: [cut], left: [cook, serve]");
  }

  @Test
  void theExampleOfComposedObjectsRuns() {
    assertThat(outputOf(() -> HelloComposed.main(new String[0])))
        .containsExactly(
            "5 buckets, 0 things",
            "there were 9 pens",
            "{5000=went on}, 9000=ended",
            "5, 2 accounts",
            "before: 0",
            StreamId.named(StreamId.named("accounts") + "/bucket 3") + " is the stream of a part");
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
