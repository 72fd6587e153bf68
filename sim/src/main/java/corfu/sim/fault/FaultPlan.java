package corfu.sim.fault;

import corfu.sim.world.SimRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The faults of a run, how often they happen, and how long they last. Each run has its own mixture,
 * because some faults hide others.
 *
 * <p>Every plan leaves the cluster recoverable. A permanent loss leaves enough replicas ({@code
 * FaultBudget}), and everything else comes back. So when the faults have stopped, anything that
 * does not end is a bug.
 *
 * @param faults the kinds of faults in this run
 * @param pauseNanosMax the maximum time from one fault to the next
 * @param lengthNanosMax the maximum length of a fault
 * @param pace the distribution of the lengths
 */
public record FaultPlan(
    List<Fault> faults, long pauseNanosMax, long lengthNanosMax, FaultRate pace) {

  private static final int FEW = 5;
  private static final long SLOW_PAUSE_NANOS_MAX = 6_000_000_000L;
  private static final long SLOW_LENGTH_NANOS_MAX = 8_000_000_000L;

  /** Faults between clients and servers, which have their own random generator. */
  private static final Set<Fault> OF_CLIENTS =
      EnumSet.of(Fault.CLIENT_CUT, Fault.BAD_CABLE, Fault.LYING_CLIENT);

  private static final int OF_CLIENTS_ONE_IN = 4;

  /** Chooses many kinds, or a few that happen more often; none between clients and servers. */
  public static FaultPlan of(SimRandom chance, Set<Fault> allowed) {
    List<Fault> others =
        new ArrayList<>(
            Arrays.stream(Fault.values())
                .filter(fault -> allowed.contains(fault) && !OF_CLIENTS.contains(fault))
                .toList());
    int most = chance.oneIn(3) ? others.size() / 2 : FEW;
    List<Fault> chosen = new ArrayList<>();
    for (int left = chance.below(most + 1); left >= 0 && !others.isEmpty(); left--) {
      chosen.add(others.remove(chance.below(others.size())));
    }
    return new FaultPlan(
        chosen,
        chance.mostlyNear(20_000_000L, 3_000_000_000L),
        chance.mostlyNear(10_000_000L, 6_000_000_000L),
        FaultRate.VARIED);
  }

  /**
   * Returns the same plan, sometimes with faults between clients and servers added. They are always
   * added if the plan has no others.
   */
  public FaultPlan withFaultsOfClients(SimRandom dice, Set<Fault> allowed) {
    List<Fault> more = new ArrayList<>(faults);
    for (Fault fault : OF_CLIENTS) {
      if (allowed.contains(fault) && (faults.isEmpty() || dice.oneIn(OF_CLIENTS_ONE_IN))) {
        more.add(fault);
      }
    }
    return new FaultPlan(more, pauseNanosMax, lengthNanosMax, pace);
  }

  /** Returns the same faults with a few seconds between them, each of them seconds long. */
  public FaultPlan slowed() {
    return new FaultPlan(faults, SLOW_PAUSE_NANOS_MAX, SLOW_LENGTH_NANOS_MAX, FaultRate.SLOW);
  }

  /** Returns the length of the next fault. */
  long lengthNanos(SimRandom chance) {
    return switch (pace) {
      case VARIED -> chance.mostlyNear(0, lengthNanosMax);
      case SLOW -> chance.between(0, lengthNanosMax);
    };
  }

  @Override
  public String toString() {
    return faults.stream().map(Fault::text).toList()
        + " every "
        + pauseNanosMax / 2_000_000
        + " ms, for up to "
        + lengthNanosMax / 1_000_000
        + " ms";
  }
}
