package corfu.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which faults a run has, how often, and how long they last. Each run has its own mixture, for some
 * faults hide others. Every plan leaves the cluster recoverable: whatever fails comes back, and
 * disks keep what they synced; so when the faults have stopped, anything that does not end is a
 * bug.
 *
 * @param faults the kinds that this run has
 * @param pauseNanosMax the time between one fault and the next is at most this
 * @param lengthNanosMax how long one lasts at the most
 */
record FaultPlan(List<Fault> faults, long pauseNanosMax, long lengthNanosMax) {

  static FaultPlan of(Chance chance, Set<Fault> allowed) {
    List<Fault> chosen = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      if (allowed.contains(fault) && chance.oneIn(3)) {
        chosen.add(fault);
      }
    }
    return new FaultPlan(
        chosen,
        chance.mostlyNear(20_000_000L, 3_000_000_000L),
        chance.mostlyNear(10_000_000L, 6_000_000_000L));
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
