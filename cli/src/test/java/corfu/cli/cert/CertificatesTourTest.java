package corfu.cli.cert;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tour of docs/certificates.md: every command there prints what the page shows. Days, serial
 * numbers, fingerprints and tokens differ from run to run, so each of the page stands for one of
 * the run, wherever it is repeated.
 */
class CertificatesTourTest {

  private static final String BEGIN = "<!-- tour: begin -->\n```\n";
  private static final String DIRECTORY = "/tmp/pki";
  private static final Pattern VARYING =
      Pattern.compile(
          "\\b\\d{4}-\\d\\d-\\d\\d(?:T[\\d:]+Z)?\\b|\\b[0-9a-f]{16,64}\\b"
              + "|eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_.-]+");

  @TempDir Path temporary;
  private final Map<String, String> actualOf = new HashMap<>();

  private record Step(String command, String answer) {}

  @Test
  void theTourRunsAsPrinted() throws Exception {
    List<Step> steps = steps();
    assertThat(steps).hasSizeGreaterThan(12);
    for (Step step : steps) {
      String answer = run(inThisRun(step.command()));
      assertThat(matches(inDirectory(step.answer()), answer))
          .as("%s%nprinted:%n%s%nanswered:%n%s", step.command(), step.answer(), answer)
          .isTrue();
    }
  }

  /** Lines that begin with a dollar sign are commands; the lines behind one are its answer. */
  private static List<Step> steps() throws IOException {
    String page = Files.readString(page());
    List<Step> steps = new ArrayList<>();
    for (int at = page.indexOf(BEGIN); at >= 0; at = page.indexOf(BEGIN, at + 1)) {
      int begin = at + BEGIN.length();
      for (String part : page.substring(begin, page.indexOf("```", begin)).split("(?m)^\\$ ")) {
        if (!part.isBlank()) {
          int end = part.indexOf('\n');
          steps.add(new Step(part.substring(0, end), part.substring(end + 1).strip()));
        }
      }
    }
    return steps;
  }

  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/certificates.md"))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs/certificates.md");
  }

  private String inDirectory(String text) {
    return text.replace(DIRECTORY, temporary.resolve("pki").toString());
  }

  private String inThisRun(String command) {
    String all = inDirectory(command);
    for (Map.Entry<String, String> one : actualOf.entrySet()) {
      all = all.replace(one.getKey(), one.getValue());
    }
    return all;
  }

  /** Runs a command of the page, with its output into a file or its input from one. */
  private String run(String command) throws IOException {
    String[] words = command.split(" ");
    assertThat(words[0]).isEqualTo("./corfu");
    List<String> arguments = new ArrayList<>(List.of(words).subList(1, words.length));
    int count = arguments.size();
    boolean writes = count > 2 && arguments.get(count - 2).equals(">");
    boolean reads = count > 2 && arguments.get(count - 2).equals("<");
    Path file = Path.of(arguments.getLast());
    if (writes || reads) {
      arguments = arguments.subList(0, count - 2);
    }
    String input = reads ? Files.readString(file) : "";
    Ran ran = Ran.corfuWith(input, arguments.toArray(String[]::new));
    if (writes) {
      Files.writeString(file, ran.out());
      return ran.err().strip();
    }
    return (ran.out() + ran.err()).strip();
  }

  private boolean matches(String printed, String answer) {
    StringBuilder pattern = new StringBuilder();
    List<String> names = new ArrayList<>();
    int at = 0;
    for (MatchResult varying : VARYING.matcher(printed).results().toList()) {
      pattern.append(Pattern.quote(printed.substring(at, varying.start())));
      pattern.append("(").append(VARYING.pattern()).append(")");
      names.add(varying.group());
      at = varying.end();
    }
    pattern.append(Pattern.quote(printed.substring(at)));
    Matcher matcher = Pattern.compile(pattern.toString()).matcher(answer);
    if (!matcher.matches()) {
      return false;
    }
    for (int i = 0; i < names.size(); i++) {
      String actual = matcher.group(i + 1);
      String before = actualOf.putIfAbsent(names.get(i), actual);
      if (before != null && !before.equals(actual)) {
        return false;
      }
    }
    return true;
  }
}
