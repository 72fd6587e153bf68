package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worst of unreadable English, in documents and in comments of the code. */
class PlainEnglishTest {

  private static final int COLUMNS_OF_A_DOCUMENT = 120;

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void sentencesOfDocumentsAreShortAndNameTheirSubject() throws IOException {
    assertThat(problems(documents())).isEmpty();
  }

  @Test
  void sentencesOfCommentsAreShortAndNameTheirSubject() throws IOException {
    assertThat(problems(sources.java())).isEmpty();
  }

  private List<String> problems(List<Path> files) throws IOException {
    var problems = new ArrayList<String>();
    for (Path file : files) {
      String text = Files.readString(file);
      List<Prose.Paragraph> prose =
          file.toString().endsWith(".md") ? Prose.ofMarkdown(text) : Prose.ofComments(text);
      for (Prose.Paragraph paragraph : prose) {
        for (String problem : paragraph.problems()) {
          problems.add("%s:%d: %s".formatted(sources.nameOf(file), paragraph.line(), problem));
        }
      }
    }
    return problems;
  }

  @Test
  void linesOfDocumentsFitOnAScreen() throws IOException {
    var tooWide = new ArrayList<String>();
    for (Path file : documents()) {
      int number = 0;
      boolean isCode = false;
      for (String line : Files.readAllLines(file)) {
        number++;
        isCode ^= line.strip().startsWith("```");
        boolean breakable = !isCode && !line.startsWith("|") && !line.contains("://");
        if (breakable && line.codePointCount(0, line.length()) > COLUMNS_OF_A_DOCUMENT) {
          tooWide.add(sources.nameOf(file) + ":" + number);
        }
      }
    }
    assertThat(tooWide).as("wider than %d columns", COLUMNS_OF_A_DOCUMENT).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'What is stored, stays.', opens with What",
    "'Whoever reads it finds it.', opens with Whoever",
    "'(Who waits is told.)', opens with Who"
  })
  void aSentenceWithoutASubjectIsFound(String sentence, String problem) {
    assertThat(Prose.ofMarkdown("Readers wait. " + sentence).getFirst().problems())
        .singleElement()
        .asString()
        .startsWith(problem);
  }

  @Test
  void aQuestionMayOpenLikeThat() {
    assertThat(Prose.ofMarkdown("# What limits it?\n\nWho waits?").getFirst().problems()).isEmpty();
  }

  @Test
  void aLongSentenceIsFoundInDocumentsAndInComments() {
    String words = "word ".repeat(36).strip() + ".";
    String comment = "class A {\n  /**\n   * Short. " + words + "\n   *\n   * <p>Short.\n   */\n}";
    assertThat(Prose.ofMarkdown("Short.\n\n" + words).getLast().problems()).hasSize(1);
    assertThat(Prose.ofComments(comment).getFirst().problems()).hasSize(1);
    assertThat(Prose.ofComments("int a; // " + words).getFirst().problems()).hasSize(1);
  }

  @Test
  void codeIsNoProse() {
    String words = "word ".repeat(36).strip() + ".";
    assertThat(Prose.ofMarkdown("```\n" + words + "\n```")).isEmpty();
    assertThat(Prose.ofMarkdown("| " + words + " |")).isEmpty();
    assertThat(Prose.ofComments("/** <pre>" + words + "</pre> */")).isEmpty();
  }

  private List<Path> documents() throws IOException {
    return sources.all().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}
