package corfu.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The aims of the log, beside the machine's limits of the same run. */
final class LogAims {

  private static final int FLOOD = 256;
  private static final String TOKENS = "SLICE: 570 K/s";
  private static final String APPENDS = "CORFU: 180 K/s on 32 drives";
  private static final String READS = "CORFU: 400 K/s on 32 drives";

  private LogAims() {}

  /** Returns the aim of a row with throughput, latency and limits. */
  static Aim of(Result row) {
    boolean isLone = row.get("depth") == 1;
    int bytes = (int) row.get("sizeBytes");
    return switch (row.benchmark()) {
      case "tokens/single" -> isLone ? paper("") : part(row, "echo", 0.6, TOKENS);
      case "append" -> isLone ? loneAppend(row) : flood(row, bytes);
      case "read/sequential" -> bytes < 4096 ? Aim.NONE : part(row, "echo", 0.7, "");
      case "read/random" -> isLone || bytes < 4096 ? Aim.NONE : part(row, "echo", 0.6, READS);
      case "read/part" -> part(row, "whole entries", 0.8, "");
      default -> Aim.NONE;
    };
  }

  private static Aim paper(String words) {
    return new Aim("", Optional.empty(), words);
  }

  private static Aim flood(Result row, int bytes) {
    if (row.text("mode").equals("memory")) {
      return bytes <= FLOOD ? part(row, "echo", 0.25, "") : paper(APPENDS);
    }
    // both copies go to the same disk
    return bytes <= FLOOD ? Aim.NONE : part(row, "write+fdatasync", 0.35, APPENDS);
  }

  private static Aim part(Result row, String limit, double least, String paper) {
    double ratio =
        limits(row, limit).stream().mapToDouble(each -> each.get("ratio")).min().orElse(0);
    return new Aim(
        String.format(Locale.ROOT, "at least %.2f of %s", least, limit),
        Optional.of(ratio >= least),
        paper);
  }

  /** Returns the aim of a lone append: four echoes, and two syncs for units on disk. */
  private static Aim loneAppend(Result row) {
    double echo = p50(row, "echo");
    double sync = p50(row, "write+fdatasync");
    double most = 4 * echo + 2 * sync;
    String of = sync > 0 ? "4 echoes and 2 syncs" : "4 echoes";
    return new Aim(
        String.format(Locale.ROOT, "p50 at most %s: %s", of, Quantity.time(most / 1e3)),
        Optional.of(row.get("p50Micros") <= most),
        "");
  }

  private static double p50(Result row, String limit) {
    return limits(row, limit).stream().mapToDouble(each -> each.get("p50Micros")).sum();
  }

  private static List<Result> limits(Result row, String name) {
    return row.all("limits").stream().filter(each -> each.text("name").startsWith(name)).toList();
  }
}
