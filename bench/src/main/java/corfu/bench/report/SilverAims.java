package corfu.bench.report;

/** The aims of Silver: table 6.5 of the dissertation, and parts of a pass-through mount. */
final class SilverAims {

  private static final double SEQUENTIAL = 0.5;
  private static final double RANDOM = 0.4;
  private static final double SMALL = 0.25;
  private static final double CLONE_MILLIS = 5;
  private static final double SAME_TIME = 1.2;
  private static final double TIMES_LOCAL = 3;
  private static final double HEAP_MIB = 512;

  private SilverAims() {}

  /** Returns the aim of one value of a row with named values. */
  static Aim of(Result row, String value, double reached) {
    return switch (row.benchmark() + " " + value) {
      case "silver/table p50Millis" -> Aim.atMost(reached, row.get("paperMillis"));
      case "silver/sequential ratio" -> Aim.atLeast(reached, SEQUENTIAL);
      case "silver/random ratio" -> Aim.atLeast(reached, RANDOM);
      case "silver/small ratio" -> Aim.atLeast(reached, SMALL);
      case "silver/clones p50Millis" -> Aim.atMost(reached, CLONE_MILLIS);
      case "silver/clones ofTheSmallest" -> Aim.atMost(reached, SAME_TIME);
      case "silver/git timesLocal" -> Aim.atMost(reached, TIMES_LOCAL);
      case "silver/memory heapMiB" -> Aim.atMost(reached, HEAP_MIB);
      default -> Aim.NONE;
    };
  }
}
