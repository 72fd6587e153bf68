package corfu.bench.report;

import java.util.Locale;
import java.util.Optional;

/** The aims and published figures of the papers about objects and services. */
final class PaperAims {

  private static final int MANY_CLIENTS = 1000;
  private static final int BASE_CLIENTS = 32;
  private static final int SOME_CLIENTS = 16;
  private static final int MANY_BUCKETS = 10_000;
  private static final int MULTI = 4;

  private PaperAims() {}

  /** Returns the aim of one value of a row with named values. */
  static Aim of(Result row, String value, double reached) {
    return switch (row.benchmark()) {
      case "views/readers" -> isRemote(row) ? readers(row, value, reached) : Aim.NONE;
      case "views/snapshots" ->
          value.equals("transactionsPerSecond") && isRemote(row) && clients(row) >= SOME_CLIENTS
              ? least(reached, 10_000, "nearly 10 K/s; a few hundred with local views")
              : Aim.NONE;
      case "views/readonly" -> readOnly(value, reached);
      case "views/scan" -> scan(value, reached);
      case "views/clear" ->
          value.equals("p50Millis")
                  && row.get("buckets") == MANY_BUCKETS
                  && row.text("what").startsWith("clear")
              ? most(reached, 200, "almost 30 s with local views")
              : Aim.NONE;
      case "services/puts" ->
          value.equals("ofTheLog") && row.get("keys") >= MULTI && isParted(row)
              ? least(reached, 0.8, "180 K appends/s: 30 K changes of 5 keys")
              : Aim.NONE;
      case "services/gets" ->
          value.equals("multiGetsPerSecond") && row.get("keys") == MULTI
              ? paper("over 100 K/s, 400 K reads/s")
              : Aim.NONE;
      case "services/smr" ->
          value.equals("ofOffered") ? paper("all up to 10 replicas, 70 K/s, then flat") : Aim.NONE;
      case "objects/composed" ->
          value.equals("abortedPercent") ? most(reached, 2, "2 %; half on a plain map") : Aim.NONE;
      default -> Aim.NONE;
    };
  }

  /** Returns the aim of a row with durations. */
  static Aim of(Result row) {
    boolean isFirstRead =
        row.benchmark().equals("objects/composed") && row.text("what").startsWith("first read");
    if (!isFirstRead) {
      return Aim.NONE;
    }
    return row.text("what").endsWith("buckets")
        ? most(row.get("p50Millis"), 20, "70 ms")
        : paper("nearly 10 s");
  }

  private static boolean isRemote(Result row) {
    return row.text("what").contains("remote view");
  }

  private static boolean isParted(Result row) {
    return row.text("what").startsWith("an entry a key");
  }

  private static double clients(Result row) {
    return row.get("clients");
  }

  private static Aim readers(Result row, String value, double reached) {
    boolean isFlood = row.text("what").endsWith("one remote view");
    if (value.equals("ofBase") && isFlood && clients(row) > BASE_CLIENTS) {
      return least(reached, 0.8, "flat up to 1,000 clients");
    }
    return value.equals("p99Millis") && clients(row) == MANY_CLIENTS
        ? most(reached, 10, "milliseconds; own views: above 1 s from 32 clients on")
        : Aim.NONE;
  }

  private static Aim readOnly(String value, double reached) {
    return switch (value) {
      case "changesOfOffered" -> least(reached, 0.95, "unchanged");
      case "changesAbortedPercent" -> most(reached, 0, "0; with locks 92 at 200 readers");
      case "readsAbortedPercent" -> most(reached, 0, "0");
      default -> Aim.NONE;
    };
  }

  private static Aim scan(String value, double reached) {
    return switch (value) {
      case "ofAlone" -> least(reached, 0.95, "no impact");
      case "scansAborted" -> most(reached, 0, "0");
      default -> Aim.NONE;
    };
  }

  private static Aim paper(String words) {
    return new Aim("", Optional.empty(), words);
  }

  private static Aim most(double reached, double most, String paper) {
    return new Aim("at most " + text(most), Optional.of(reached <= most), paper);
  }

  private static Aim least(double reached, double least, String paper) {
    return new Aim("at least " + text(least), Optional.of(reached >= least), paper);
  }

  private static String text(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
