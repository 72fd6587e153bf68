package corfu.bench.report;

/** The aims of rows with named values. */
final class Aims {

  private Aims() {}

  /** Returns the aim of one value of a row with named values. */
  static Aim of(Result row, String value, double reached) {
    return switch (row.benchmark() + " " + value) {
      case "footprint/index scaledTo100MGiB" -> Aim.atMost(reached, 1);
      case "footprint/restart secondsPer10M" -> Aim.atMost(reached, 2);
      case "tls/appends floodRatio" -> Aim.atLeast(reached, 0.65);
      case "tls/appends addedMicros" -> Aim.atMost(reached, 25);
      case "tls/permissions floodRatio" -> Aim.atLeast(reached, 0.97);
      case "tls/handshakes toSocketOfNobody" -> Aim.atMost(reached, 2);
      case "footprint/flood grownBy" -> Aim.atMost(reached, 0.05);
      default -> ofService(row, value, reached);
    };
  }

  private static Aim ofService(Result row, String value, double reached) {
    if (row.benchmark().startsWith("zookeeper/")) {
      return ZooKeeperAims.of(row, value, reached);
    }
    if (row.benchmark().startsWith("disk/")) {
      return DiskAims.of(row, value, reached);
    }
    return row.benchmark().startsWith("silver/")
        ? SilverAims.of(row, value, reached)
        : PaperAims.of(row, value, reached);
  }
}
