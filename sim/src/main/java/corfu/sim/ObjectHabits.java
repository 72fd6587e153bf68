package corfu.sim;

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
 */
record ObjectHabits(
    int stores,
    int lists,
    int transactionPercent,
    int checkpointPercent,
    boolean isForgetting,
    int longest) {

  private static final int STORES_MAX = 4;
  private static final int LISTS_MAX = 5;
  private static final int LONGEST_MAX = 6;

  static ObjectHabits of(Chance chance) {
    return new ObjectHabits(
        1 + chance.below(STORES_MAX),
        1 + chance.below(LISTS_MAX),
        (int) chance.between(20, 80),
        chance.oneIn(4) ? 0 : (int) chance.mostlyNear(1, 20),
        chance.oneIn(2),
        2 + chance.below(LONGEST_MAX - 1));
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
        + (isForgetting ? " with forgetting" : "");
  }
}
