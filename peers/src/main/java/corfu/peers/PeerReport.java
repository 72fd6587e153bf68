package corfu.peers;

import corfu.peers.load.MapOrder;
import corfu.peers.system.Replication;
import java.util.List;

/** A result of a {@link PeersBenchmark}. */
public sealed interface PeerReport {

  /** Returns the other system's name. */
  String peer();

  /**
   * The system could not be measured.
   *
   * @param what "all of it", or the arrangement that failed
   */
  record Absent(String peer, String what, String reason) implements PeerReport {}

  /**
   * Both systems run.
   *
   * @param version the other system's version
   * @param append the operation that counts as an append in the other system
   * @param ours all settings of Corfu
   * @param theirs all settings of the other system
   */
  record Started(
      String peer,
      String version,
      String append,
      Replication arrangement,
      List<String> ours,
      List<String> theirs)
      implements PeerReport {

    public Started {
      ours = List.copyOf(ours);
      theirs = List.copyOf(theirs);
    }
  }

  /** Both systems carried out the same orders, in turns. */
  record Compared(
      String peer,
      Replication arrangement,
      int sizeBytes,
      Load load,
      PeerFigures ours,
      PeerFigures theirs)
      implements PeerReport {

    /** Returns Corfu's throughput divided by the other system's. */
    public double rateRatio() {
      return ours.perSecond().median() / theirs.perSecond().median();
    }

    /** Returns Corfu's median latency divided by the other system's. */
    public double p50Ratio() {
      return ours.p50Micros().median() / theirs.p50Micros().median();
    }

    /** Returns Corfu's 99th percentile of latency divided by the other system's. */
    public double p99Ratio() {
      return ours.p99Micros().median() / theirs.p99Micros().median();
    }

    /**
     * Returns whether Corfu meets the target. For appends the target is twice the throughput, and
     * latencies that are no worse. For YCSB it is at least the same throughput; for maps see {@link
     * Load.Calls#target}.
     */
    public boolean isMet() {
      return switch (load) {
        case Load.Flood flood -> rateRatio() >= 2;
        case Load.Lone lone -> p50Ratio() <= 1 && p99Ratio() <= 1;
        case Load.Offered offered -> p50Ratio() <= 1 && p99Ratio() <= 1;
        case Load.Workload workload -> rateRatio() >= 1;
        case Load.Calls calls -> rateRatio() >= calls.target();
      };
    }
  }

  /** The load that both systems got. */
  sealed interface Load {

    /** A constant number of in-flight appends. */
    record Flood(int depth) implements Load {}

    /** One append at a time. */
    record Lone() implements Load {}

    /** The same rate of appends for both systems: half of the slower one's throughput. */
    record Offered(long perSecond) implements Load {}

    /** A workload of YCSB with a number of threads. */
    record Workload(String letter, int threads) implements Load {}

    /** Calls of a map with a number of keys, from a number of threads. */
    record Calls(MapOrder.Call call, int keys, int threads) implements Load {

      private static final int OF_TRANSACTIONS = 20;
      private static final int OF_SINGLE_CALLS = 10;

      /** Returns the ratio to the other system's throughput that Corfu aims at. */
      public int target() {
        return call == MapOrder.Call.TRANSACT ? OF_TRANSACTIONS : OF_SINGLE_CALLS;
      }
    }

    /** Returns a short text for tables. */
    default String text() {
      return switch (this) {
        case Flood flood -> flood.depth() + " under way";
        case Lone lone -> "one at a time";
        case Offered offered -> "%,d/s offered".formatted(offered.perSecond());
        case Workload workload ->
            "YCSB %s, %d threads".formatted(workload.letter(), workload.threads());
        case Calls calls -> "%s, %,d keys".formatted(calls.call().text(), calls.keys());
      };
    }
  }
}
