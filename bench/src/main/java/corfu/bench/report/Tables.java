package corfu.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Turns the results of benchmarks into tables of a page. */
final class Tables {

  private static final double KILO = 1e3;
  private static final double MEGA = 1e6;

  private Tables() {}

  /** Returns one table for each kind of result, in the order of the first result of each kind. */
  static String of(List<Result> results) {
    Map<String, List<Result>> kinds = new LinkedHashMap<>();
    for (Result result : results) {
      kinds.computeIfAbsent(kind(result), kind -> new ArrayList<>()).add(result);
    }
    List<String> tables = new ArrayList<>();
    kinds.forEach((kind, rows) -> tables.add(table(kind, rows)));
    tables.removeIf(String::isEmpty);
    return String.join("\n", tables);
  }

  private static String kind(Result result) {
    if (Pictures.isPicture(result)) {
      return "rest";
    }
    if (result.has("opsPerSecond")) {
      return "figures";
    }
    if (result.has("rateRatio")) {
      return "peers";
    }
    if (result.has("p99Millis") && result.has("maxMillis") && result.has("count")) {
      return "times";
    }
    if (result.has("limitName")) {
      return "rates";
    }
    if (result.has("map")) {
      return "maps";
    }
    if (result.has("reason")) {
      return "absent";
    }
    return result.has("what") && result.numbers().size() > 1
        ? result.benchmark() + " " + result.numbers().keySet()
        : "rest";
  }

  private static String table(String kind, List<Result> rows) {
    return switch (kind) {
      case "figures" -> figures(rows);
      case "times" -> times(rows);
      case "rates" -> rates(rows);
      case "maps" -> maps(rows);
      case "peers" -> peers(rows);
      case "absent" -> absent(rows);
      case "rest" -> "";
      default -> values(rows);
    };
  }

  private static String figures(List<Result> rows) {
    var table = new Table("", "per second", "p50", "p99", "of the limit", "aim", "paper");
    for (Result row : rows) {
      List<String> limits =
          row.all("limits").stream()
              .map(l -> "%s of %s".formatted(ratio(l.get("ratio")), limit(l)))
              .toList();
      Aim aim = LogAims.of(row);
      table.row(
          scenario(row),
          rate(row.get("opsPerSecond")),
          Quantity.time(row.get("p50Micros") / KILO),
          Quantity.time(row.get("p99Micros") / KILO),
          String.join("; ", limits),
          aim.cell(),
          aim.paper());
    }
    return table.text();
  }

  private static String limit(Result limit) {
    return "%s (%s)".formatted(rate(limit.get("perSecond")), limit.text("name"));
  }

  private static String scenario(Result row) {
    int inFlight = (int) (row.get("clients") * row.get("depth"));
    String size = row.get("sizeBytes") > 0 ? ", %,d B".formatted((int) row.get("sizeBytes")) : "";
    String mode = row.text("mode").isEmpty() ? "" : ", " + row.text("mode");
    String depth = inFlight == 1 ? ", lone" : ", %,d in flight".formatted(inFlight);
    return row.benchmark() + size + mode + depth;
  }

  private static String times(List<Result> rows) {
    boolean haveAims = rows.stream().anyMatch(row -> !PaperAims.of(row).equals(Aim.NONE));
    List<String> heads =
        new ArrayList<>(List.of("", "", "count", "p50", "p99", "longest", "best", "best / p50"));
    if (haveAims) {
      heads.addAll(List.of("aim", "paper"));
    }
    var table = new Table(heads.toArray(String[]::new));
    for (Result row : rows) {
      List<String> cells = new ArrayList<>();
      Collections.addAll(
          cells,
          row.benchmark(),
          row.text("what"),
          "%,d".formatted((int) row.get("count")),
          Quantity.time(row.get("p50Millis")),
          Quantity.time(row.get("p99Millis")),
          Quantity.time(row.get("maxMillis")),
          optional(row.number("bestMillis"), true),
          optional(row.number("ratio"), false));
      if (haveAims) {
        Aim aim = PaperAims.of(row);
        cells.addAll(List.of(aim.cell(), aim.paper()));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table.text();
  }

  private static String optional(OptionalDouble value, boolean isTime) {
    if (value.isEmpty()) {
      return "";
    }
    return isTime ? Quantity.time(value.getAsDouble()) : ratio(value.getAsDouble());
  }

  private static String rates(List<Result> rows) {
    var table = new Table("", "", "per second", "beside", "ratio");
    for (Result row : rows) {
      table.row(
          row.benchmark(),
          row.text("what"),
          "%s %s".formatted(rate(row.get("perSecond")), row.text("unit")),
          "%s: %s".formatted(row.text("limitName"), rate(row.get("limitPerSecond"))),
          ratio(row.get("ratio")));
    }
    return table.text();
  }

  private static String maps(List<Result> rows) {
    var table = new Table("", "entries", "insert", "lookup", "bytes an entry");
    for (Result row : rows) {
      table.row(
          row.text("map"),
          rate(row.get("entries")),
          "%.0f ns".formatted(row.get("insertNanos")),
          "%.0f ns".formatted(row.get("lookupNanos")),
          "%.1f".formatted(row.get("bytesPerEntry")));
    }
    return table.text();
  }

  private static String peers(List<Result> rows) {
    var table = new Table("", "load", "ours/s : theirs/s", "ratio", "p50", "p99");
    for (Result row : rows) {
      String what =
          "%s, %d copies, %s, %,d B"
              .formatted(
                  row.text("peer"),
                  (int) row.get("copies"),
                  row.text("mode"),
                  (int) row.get("sizeBytes"));
      String load =
          row.has("depth")
              ? (row.text("workload") + " %,d".formatted((int) row.get("depth"))).strip()
              : rate(row.get("offeredPerSecond")) + "/s";
      table.row(
          what,
          load,
          rate(median(row, "ours", "perSecond")) + " : " + rate(median(row, "theirs", "perSecond")),
          ratio(row.get("rateRatio")),
          times(row, "p50Micros"),
          times(row, "p99Micros"));
    }
    return table.text();
  }

  private static String times(Result row, String name) {
    return Quantity.time(median(row, "ours", name) / KILO)
        + " : "
        + Quantity.time(median(row, "theirs", name) / KILO);
  }

  private static double median(Result row, String side, String name) {
    return row.inner(side).inner(name).get("median");
  }

  private static String absent(List<Result> rows) {
    StringBuilder text = new StringBuilder();
    for (Result row : rows) {
      text.append(
          "- %s, %s: absent: %s\n"
              .formatted(row.text("peer"), row.text("what"), row.text("reason")));
    }
    return text.toString();
  }

  /** Returns a table of rows with the same named values. */
  private static String values(List<Result> rows) {
    List<String> names = List.copyOf(rows.getFirst().numbers().keySet());
    List<String> heads = new ArrayList<>(List.of(rows.getFirst().benchmark()));
    names.forEach(name -> heads.add(words(name)));
    heads.add("aim");
    boolean havePapers = rows.stream().anyMatch(row -> !papers(row).isEmpty());
    if (havePapers) {
      heads.add("paper");
    }
    var table = new Table(heads.toArray(String[]::new));
    for (Result row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.text("what")));
      List<String> aims = new ArrayList<>();
      row.numbers()
          .forEach(
              (name, value) -> {
                cells.add(name.endsWith("PerSecond") ? rate(value) : number(value));
                String aim = Aims.of(row, name, value).cell();
                if (!aim.isEmpty()) {
                  aims.add(words(name) + " " + aim);
                }
              });
      cells.add(String.join("; ", aims));
      if (havePapers) {
        cells.add(String.join("; ", papers(row)));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table.text();
  }

  /** Returns the published figures beside the values of a row. */
  private static List<String> papers(Result row) {
    List<String> papers = new ArrayList<>();
    row.numbers()
        .forEach(
            (name, value) -> {
              String paper = Aims.of(row, name, value).paper();
              if (!paper.isEmpty()) {
                papers.add(words(name) + " " + paper);
              }
            });
    return papers;
  }

  /** Returns the words of a name: "p50Millis" is "p50 ms", "residentMiB" is "resident MiB". */
  private static String words(String name) {
    if (name.endsWith("MiBPerSecond")) {
      return words(name.substring(0, name.length() - "PerSecond".length())) + "/s";
    }
    String unit = name.replaceAll("^.*?(MiB|GiB|)$", "$1");
    String words =
        name.substring(0, name.length() - unit.length())
            .replaceAll("([a-z])([A-Z])", "$1 $2")
            .replaceAll("(?i)(to|per)([0-9])", "$1 $2")
            .replaceAll("([0-9])([A-Z])", "$1 $2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("millis$", "ms")
            .replaceAll("([0-9]) m$", "$1 M");
    return (words + " " + unit).strip();
  }

  /** Returns a sentence about the machine and the day of the measurements. */
  static String machine(List<Result> results) {
    Result machine = results.getFirst();
    return String.format(
        Locale.ROOT,
        "%s: %d cores, %s, JDK %s.%n%.1f threads wanted a core in the minute before."
            + " The suite ran for %d min %d s.%n",
        machine.text("date"),
        (int) machine.get("cores"),
        machine.text("system"),
        machine.text("java"),
        machine.get("loadBefore"),
        (int) machine.get("seconds") / 60,
        (int) machine.get("seconds") % 60);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, value >= 10 ? "%.0f" : "%.2f", value);
  }

  private static String rate(double value) {
    if (value >= MEGA) {
      return String.format(Locale.ROOT, "%.2f M", value / MEGA);
    }
    return value >= KILO
        ? String.format(Locale.ROOT, value >= 100 * KILO ? "%.0f K" : "%.1f K", value / KILO)
        : number(value);
  }

  private static String number(double value) {
    if (value >= MEGA) {
      return rate(value);
    }
    boolean isWhole = value == Math.rint(value);
    return String.format(
        Locale.ROOT, isWhole ? "%,.0f" : Math.abs(value) >= 100 ? "%,.0f" : "%.3g", value);
  }

  /** Writes a Markdown table. */
  private static final class Table {
    private final StringBuilder text = new StringBuilder();

    Table(String... heads) {
      row(heads);
      text.append("|---".repeat(heads.length)).append("|\n");
    }

    void row(String... cells) {
      for (String cell : cells) {
        text.append("| ").append(cell.replace("|", "\\|")).append(' ');
      }
      text.append("|\n");
    }

    String text() {
      return text.toString();
    }
  }
}
