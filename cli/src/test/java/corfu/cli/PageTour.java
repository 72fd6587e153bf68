package corfu.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * The tour of a page: every command there prints what the page shows. Days, serial numbers,
 * fingerprints and tokens differ from run to run, so each of the page stands for one of the run,
 * wherever it is repeated. A line of three dots stands for any lines.
 */
public final class PageTour {

  private static final String BEGIN = "<!-- tour: begin -->\n```\n";
  private static final String STATUS = "echo $?";
  private static final String ANYTHING = "(?s:.*)";
  private static final Pattern VARYING =
      Pattern.compile(
          "\\b\\d{4}-\\d\\d-\\d\\d(?:T[\\d:]+Z)?\\b|\\b[0-9a-f]{16,64}\\b"
              + "|eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_.-]+|BoringSSL|JDK [0-9.]+");

  private final String page;
  private final Map<String, String> directories;
  private final Map<String, String> actualOf = new HashMap<>();
  private int lastStatus;

  private record Step(String command, String answer) {}

  /**
   * @param page the page's name below docs
   * @param directories the directories of the page, and those of this run
   */
  public PageTour(String page, Map<String, String> directories) {
    this.page = page;
    this.directories = Map.copyOf(directories);
  }

  /** Runs all commands, and returns their number. */
  public int run() throws IOException {
    List<Step> steps = steps();
    for (Step step : steps) {
      String answer = run(inThisRun(step.command()));
      assertThat(matches(inDirectories(step.answer()), answer))
          .as("%s%nprinted:%n%s%nanswered:%n%s", step.command(), step.answer(), answer)
          .isTrue();
    }
    return steps.size();
  }

  /** Lines that begin with a dollar sign are commands; the lines behind one are its answer. */
  private List<Step> steps() throws IOException {
    String text = Files.readString(file());
    List<Step> steps = new ArrayList<>();
    for (int at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
      int begin = at + BEGIN.length();
      for (String part : text.substring(begin, text.indexOf("```", begin)).split("(?m)^\\$ ")) {
        if (!part.isBlank()) {
          int end = part.indexOf('\n');
          steps.add(new Step(part.substring(0, end), part.substring(end + 1).strip()));
        }
      }
    }
    return steps;
  }

  private Path file() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs").resolve(page))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs").resolve(page);
  }

  private String inDirectories(String text) {
    String all = text;
    for (Map.Entry<String, String> one : directories.entrySet()) {
      all = all.replace(one.getKey(), one.getValue());
    }
    return all;
  }

  private String inThisRun(String command) {
    String all = inDirectories(command);
    for (Map.Entry<String, String> one : actualOf.entrySet()) {
      all = all.replace(one.getKey(), one.getValue());
    }
    return all;
  }

  /** Runs a command of the page, with its output into a file or its input from one. */
  private String run(String command) throws IOException {
    if (command.equals(STATUS)) {
      return Integer.toString(lastStatus);
    }
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
    lastStatus = ran.status();
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
      pattern.append(quoted(printed.substring(at, varying.start())));
      pattern.append("(").append(VARYING.pattern()).append(")");
      names.add(varying.group());
      at = varying.end();
    }
    pattern.append(quoted(printed.substring(at)));
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

  private static String quoted(String printed) {
    List<String> parts = new ArrayList<>();
    for (String part : printed.split("(?m)^\\.\\.\\.$", -1)) {
      parts.add(part.isEmpty() ? "" : Pattern.quote(part));
    }
    return String.join(ANYTHING, parts);
  }
}
