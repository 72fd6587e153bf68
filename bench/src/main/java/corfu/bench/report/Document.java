package corfu.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page whose tables are made from what the suite has kept. They stand between a marker and its
 * end; what is around them is written by people, and stays:
 *
 * <pre>
 *   &lt;!-- bench:tokens --&gt;
 *   ...
 *   &lt;!-- /bench:tokens --&gt;
 * </pre>
 *
 * <p>The same figures give the same page.
 */
public final class Document {

  private final Path page;
  private final Path figures;

  /**
   * @param figures where the {@link Suite} keeps its files; below the page's directory
   */
  public Document(Path page, Path figures) {
    this.page = page;
    this.figures = figures;
  }

  /**
   * Writes the tables anew.
   *
   * @param steps whose figures the page may show
   * @return what the page does not show, and why
   */
  public List<String> update(List<Step> steps) throws IOException {
    String text = Files.readString(page, StandardCharsets.UTF_8);
    List<String> problems = new ArrayList<>();
    Path machine = figures.resolve("machine.json");
    if (Files.exists(machine)) {
      text = replaced(text, "machine", Tables.machine(results(machine)), problems);
    }
    for (Step step : steps) {
      Path file = figures.resolve(step.name() + ".json");
      if (Files.exists(file)) {
        text = replaced(text, step.name(), block(step, results(file)), problems);
      } else {
        problems.add("there are no figures of " + step.name());
      }
    }
    Files.writeString(page, text);
    return List.copyOf(problems);
  }

  private static List<Result> results(Path file) throws IOException {
    try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
      return lines.filter(line -> !line.isBlank()).map(Result::parse).toList();
    }
  }

  private String block(Step step, List<Result> results) {
    StringBuilder block = new StringBuilder();
    block.append("`./").append(step.command()).append("`\n\n").append(Tables.of(results));
    String picture = step.name() + ".svg";
    if (Files.exists(figures.resolve(picture))) {
      Path parent = page.toAbsolutePath().resolveSibling("");
      String link = parent.relativize(figures.toAbsolutePath().resolve(picture)).toString();
      block.append("\n![").append(step.name()).append("](").append(link).append(")\n");
    }
    return block.toString();
  }

  private static String replaced(String text, String name, String block, List<String> problems) {
    String begin = "<!-- bench:" + name + " -->\n";
    String end = "<!-- /bench:" + name + " -->";
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from) {
      problems.add("the page has no place for " + name + ": add " + begin.strip() + " and its end");
      return text;
    }
    return text.substring(0, from + begin.length()) + "\n" + block + "\n" + text.substring(to);
  }
}
