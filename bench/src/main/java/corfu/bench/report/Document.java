package corfu.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pages whose tables and pictures are made from the files of the {@link Suite}. There is a first
 * page, such as {@code performance.md}. The others are all pages in the directory of this name,
 * {@code performance/*.md}. A table stands between a marker and its end, on any of the pages. The
 * text around it is written by hand and stays:
 *
 * <pre>
 * &lt;!-- bench:tokens --&gt;
 * ...
 * &lt;!-- /bench:tokens --&gt;
 * </pre>
 *
 * <p>The same figures give the same pages.
 */
public final class Document {

  private static final String SUFFIX = ".md";

  private final Path page;
  private final Path figures;

  /**
   * @param page the first page; the others are in the directory of its name without the suffix
   * @param figures the directory of the suite's files, below the directory of the first page
   */
  public Document(Path page, Path figures) {
    this.page = page;
    this.figures = figures;
  }

  /**
   * Writes all tables and pictures anew.
   *
   * @param steps the steps whose figures the pages may show
   * @return the figures that no page shows, with the reason
   */
  public List<String> update(List<SuiteStep> steps) throws IOException {
    Map<Path, String> texts = new LinkedHashMap<>();
    for (Path each : pages()) {
      texts.put(each, Files.readString(each, StandardCharsets.UTF_8));
    }
    List<String> problems = new ArrayList<>();
    Path machine = figures.resolve("machine.json");
    if (Files.exists(machine)) {
      String sentence = Tables.machine(results(machine));
      replace(texts, "machine", each -> sentence, problems);
    }
    for (SuiteStep step : steps) {
      Path file = figures.resolve(step.name() + ".json");
      if (Files.exists(file)) {
        List<Result> results = results(file);
        draw(step, results);
        replace(texts, step.name(), each -> block(step, results, each), problems);
      } else {
        problems.add("there are no figures of " + step.name());
      }
    }
    for (Map.Entry<Path, String> written : texts.entrySet()) {
      Files.writeString(written.getKey(), written.getValue());
    }
    return List.copyOf(problems);
  }

  private List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(page));
    String name = String.valueOf(page.getFileName());
    Path directory = page.resolveSibling(name.replaceFirst("\\.md$", ""));
    if (name.endsWith(SUFFIX) && Files.isDirectory(directory)) {
      try (var files = Files.list(directory)) {
        files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().forEach(pages::add);
      }
    }
    return pages;
  }

  private static List<Result> results(Path file) throws IOException {
    try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
      return lines.filter(line -> !line.isBlank()).map(Result::parse).toList();
    }
  }

  private Path picture(SuiteStep step) {
    return figures.resolve(step.name() + ".svg");
  }

  private void draw(SuiteStep step, List<Result> results) throws IOException {
    var plot = Pictures.of(results);
    if (plot.isPresent()) {
      Files.writeString(picture(step), plot.get().toSvg());
    }
  }

  private String block(SuiteStep step, List<Result> results, Path shown) {
    StringBuilder block = new StringBuilder();
    String command =
        results.stream()
            .filter(result -> result.has("command"))
            .findFirst()
            .map(result -> result.text("command"))
            .orElseGet(step::command);
    block.append("```sh\n./").append(command).append("\n```\n\n");
    block.append(Tables.of(results));
    Path picture = picture(step).toAbsolutePath();
    if (Files.exists(picture)) {
      Path parent = shown.toAbsolutePath().resolveSibling("");
      String link = parent.relativize(picture).toString();
      block.append("\n![").append(step.name()).append("](").append(link).append(")\n");
    }
    return block.toString();
  }

  /** Writes the text of a page between two markers. */
  @FunctionalInterface
  private interface Block {
    String on(Path page);
  }

  private static void replace(
      Map<Path, String> texts, String name, Block block, List<String> problems) {
    String begin = "<!-- bench:" + name + " -->\n";
    String end = "<!-- /bench:" + name + " -->";
    boolean isShown = false;
    for (Map.Entry<Path, String> entry : texts.entrySet()) {
      String text = entry.getValue();
      int from = text.indexOf(begin);
      int to = text.indexOf(end);
      if (from >= 0 && to >= from) {
        String head = text.substring(0, from + begin.length());
        entry.setValue(head + "\n" + block.on(entry.getKey()) + "\n" + text.substring(to));
        isShown = true;
      }
    }
    if (!isShown) {
      problems.add("no page has a place for " + name + ": add " + begin.strip() + " and its end");
    }
  }
}
