package corfu.bench.report;

/** The aims of the rows of virtual disks. */
final class DiskAims {

  private static final double RANDOM_WRITES = 1;
  private static final double RANDOM_READS = 0.7;
  private static final double SEQUENTIAL = 0.6;
  private static final double SNAPSHOT_MILLIS = 2;
  private static final double START_MILLIS = 1_000;

  private DiskAims() {}

  /** Returns the aim of one value of a row with named values. */
  static Aim of(Result row, String value, double reached) {
    boolean isOneCopy = row.text("what").endsWith("1 copy");
    return switch (row.benchmark() + " " + value) {
      case "disk/sequential ratio" -> isOneCopy ? Aim.atLeast(reached, SEQUENTIAL) : Aim.NONE;
      case "disk/random ratio" ->
          isOneCopy
              ? Aim.atLeast(
                  reached, row.text("what").startsWith("writes") ? RANDOM_WRITES : RANDOM_READS)
              : Aim.NONE;
      case "disk/times p50Millis" -> Aim.atMost(reached, SNAPSHOT_MILLIS);
      case "disk/start p50Millis" -> Aim.atMost(reached, START_MILLIS);
      default -> Aim.NONE;
    };
  }
}
