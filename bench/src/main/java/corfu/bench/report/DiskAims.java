package corfu.bench.report;

import java.util.Optional;

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
      case "disk/sequential ratio" -> isOneCopy ? least(reached, SEQUENTIAL) : Aim.NONE;
      case "disk/random ratio" ->
          isOneCopy
              ? least(reached, row.text("what").startsWith("writes") ? RANDOM_WRITES : RANDOM_READS)
              : Aim.NONE;
      case "disk/times p50Millis" -> most(reached, SNAPSHOT_MILLIS);
      case "disk/start p50Millis" -> most(reached, START_MILLIS);
      default -> Aim.NONE;
    };
  }

  private static Aim most(double reached, double most) {
    return new Aim("at most " + most, Optional.of(reached <= most), "");
  }

  private static Aim least(double reached, double least) {
    return new Aim("at least " + least, Optional.of(reached >= least), "");
  }
}
