package corfu.sim.workload.object;

import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.sim.world.SimRandom;

/**
 * The preferences of the clients in a run with objects.
 *
 * @param stores the number of shared objects with lists
 * @param lists the number of lists in each of them
 * @param transactionPercent the share of work in transactions, 0 to 100
 * @param checkpointPercent the share of checkpoints in the other work, 0 to 100
 * @param isForgetting whether clients forget the history before checkpoints; if not, they open the
 *     same objects as several types, none of which can use the others' checkpoints
 * @param longest the maximum number of accesses in a transaction
 * @param checkpointEvery the number of updates after which clients write automatic checkpoints; 0
 *     for never
 * @param kept the number of addresses of history kept then, if they forget
 * @param remotePercent the share of a client's views that servers host, 0 to 100
 */
public record ObjectWorkloadProfile(
    int stores,
    int lists,
    int transactionPercent,
    int checkpointPercent,
    boolean isForgetting,
    int longest,
    int checkpointEvery,
    long kept,
    int remotePercent) {

  private static final int STORES_MAX = 4;
  private static final int LISTS_MAX = 5;
  private static final int LONGEST_MAX = 6;

  public static ObjectWorkloadProfile of(SimRandom chance) {
    return new ObjectWorkloadProfile(
        1 + chance.below(STORES_MAX),
        1 + chance.below(LISTS_MAX),
        (int) chance.between(20, 80),
        chance.oneIn(4) ? 0 : (int) chance.mostlyNear(1, 20),
        chance.oneIn(2),
        2 + chance.below(LONGEST_MAX - 1),
        chance.oneIn(2) ? 0 : (int) chance.between(3, 40),
        chance.between(0, 300),
        chance.oneIn(2) ? 0 : (int) chance.between(10, 100));
  }

  CheckpointPolicy checkpoints() {
    if (checkpointEvery == 0) {
      return CheckpointPolicy.MANUAL;
    }
    return CheckpointPolicy.MANUAL
        .withEveryUpdates(checkpointEvery)
        .withHistory(isForgetting ? History.ofAddresses(kept) : History.FOR_EVER);
  }

  @Override
  public String toString() {
    return stores
        + " objects of "
        + lists
        + " lists, "
        + transactionPercent
        + " % transactions of up to "
        + longest
        + " accesses, "
        + checkpointPercent
        + " % checkpoints"
        + (checkpointEvery == 0 ? "" : ", one every " + checkpointEvery + " updates")
        + (isForgetting ? " with forgetting" : "")
        + (remotePercent == 0 ? "" : ", " + remotePercent + " % of views remote");
  }
}
