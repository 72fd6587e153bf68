package corfu.bench.report;

import java.util.Locale;
import java.util.Optional;

/** The aims of the service with the protocol of ZooKeeper, beside Apache ZooKeeper. */
final class ZooKeeperAims {

  private static final double WRITES = 3;
  private static final double READS = 1.5;
  private static final double KEPT_WITH_ONE_SERVER_MORE = 0.9;
  private static final double START_SECONDS = 3;
  private static final int MEASURED_SERVERS = 3;

  private ZooKeeperAims() {}

  /** Returns the aim of one value of a row with named values. */
  static Aim of(Result row, String value, double reached) {
    return switch (row.benchmark() + " " + value) {
      case "zookeeper/writes ratio" -> least(reached, WRITES);
      case "zookeeper/reads ratio" -> least(reached, READS);
      case "zookeeper/creates p50Ratio", "zookeeper/creates p99Ratio" -> most(reached, 1);
      case "zookeeper/recipes corfuMillis" -> recipe(row, reached);
      case "zookeeper/simulated ofOneServerFewer" ->
          isAddedForWrites(row) ? least(reached, KEPT_WITH_ONE_SERVER_MORE) : Aim.NONE;
      case "zookeeper/start corfuSeconds" -> most(reached, START_SECONDS);
      case "zookeeper/start heapRatio" -> most(reached, 1);
      default -> Aim.NONE;
    };
  }

  /** Returns the published latency as the aim of a poll. With push, the aim is the other system. */
  private static Aim recipe(Result row, double reached) {
    if (row.has("paperZkSlMillis")) {
      return most(reached, row.get("paperZkSlMillis"));
    }
    return row.has("zookeeperMillis")
        ? new Aim("below zookeeper", Optional.of(reached < row.get("zookeeperMillis")), "")
        : Aim.NONE;
  }

  private static boolean isAddedForWrites(Result row) {
    return row.text("what").startsWith("corfu")
        && row.get("readPercent") == 0
        && row.get("servers") > MEASURED_SERVERS;
  }

  private static Aim most(double reached, double most) {
    return new Aim("at most " + text(most), Optional.of(reached <= most), "");
  }

  private static Aim least(double reached, double least) {
    return new Aim("at least " + text(least), Optional.of(reached >= least), "");
  }

  private static String text(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
