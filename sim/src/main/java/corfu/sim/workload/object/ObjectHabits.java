package corfu.sim.workload.object;

import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.sim.world.Chance;

/**
 * What the clients of a run about objects like to do.
 *
 * @param stores how many objects with lists they share
 * @param lists how many each of these has
 * @param transactionPercent how much of what they do is in transactions
 * @param checkpointPercent how much of it is checkpoints
 * @param isForgetting whether they forget what is before these; if not, they open the same objects
 *     as several types, of which none can begin at the others' checkpoints
 * @param longest how many accesses a transaction has at most
 * @param checkpointEvery after how many updates clients write checkpoints by themselves; 0: never
 * @param kept for how many addresses history is kept then, if they forget
 * @param remotePercent how many of a client's views servers play for it
 */
public record ObjectHabits(
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

  public static ObjectHabits of(Chance chance) {
    return new ObjectHabits(
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
