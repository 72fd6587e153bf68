package corfu.peers;

import corfu.peers.load.MapOrder;
import corfu.peers.system.Arrangement;
import java.util.List;

/** What {@link PeersBenchmark} has to tell. */
public sealed interface PeerReport {

  /** The other system's name. */
  String peer();

  /**
   * It could not be measured.
   *
   * @param what all of it, or which arrangement
   */
  record Absent(String peer, String what, String reason) implements PeerReport {}

  /**
   * Both run.
   *
   * @param version the other system's
   * @param append what counts as an append there
   * @param ours everything that was set
   * @param theirs everything that was set
   */
  record Started(
      String peer,
      String version,
      String append,
      Arrangement arrangement,
      List<String> ours,
      List<String> theirs)
      implements PeerReport {

    public Started {
      ours = List.copyOf(ours);
      theirs = List.copyOf(theirs);
    }
  }

  /** Both did the same, in turns. */
  record Compared(
      String peer, Arrangement arrangement, int sizeBytes, Load load, Side ours, Side theirs)
      implements PeerReport {

    /** How many times as much as the other one we did. */
    public double rateRatio() {
      return ours.perSecond().median() / theirs.perSecond().median();
    }

    /** How many times as long as the other one we took. */
    public double p50Ratio() {
      return ours.p50Micros().median() / theirs.p50Micros().median();
    }

    /** How many times as long as the other one we took, in the worst hundredth. */
    public double p99Ratio() {
      return ours.p99Micros().median() / theirs.p99Micros().median();
    }

    /**
     * Whether the target is met: twice the throughput, and latencies that are no worse; with YCSB
     * no less throughput; with maps what {@link Load.Calls#target} says.
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

  /** How both were loaded. */
  sealed interface Load {

    /** As many appends under way, all the time. */
    record Flood(int depth) implements Load {}

    /** One append at a time. */
    record Lone() implements Load {}

    /** As many appends a second for both: half of what the slower one can do. */
    record Offered(long perSecond) implements Load {}

    /** A workload of YCSB, with so many threads. */
    record Workload(String letter, int threads) implements Load {}

    /** Calls of a map of so many keys, by so many threads. */
    record Calls(MapOrder.Call call, int keys, int threads) implements Load {

      private static final int OF_TRANSACTIONS = 20;
      private static final int OF_SINGLE_CALLS = 10;

      /** How many times as much as the other one we want to do. */
      public int target() {
        return call == MapOrder.Call.TRANSACT ? OF_TRANSACTIONS : OF_SINGLE_CALLS;
      }
    }

    /** In a few words. */
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
