package corfu.sim.fault;

/** How soon faults follow each other, and how long they last. */
public enum FaultRate {
  /** The seed chooses: mostly many short faults. */
  VARIED,
  /**
   * A fault every few seconds, each of them seconds long. So calls must succeed in between, and a
   * fault meets a cluster that still recovers from the one before.
   */
  SLOW;

  /**
   * Returns the pace of this name.
   *
   * @throws IllegalArgumentException if no pace has the name
   */
  public static FaultRate named(String name) {
    return switch (name) {
      case "varied" -> VARIED;
      case "slow" -> SLOW;
      default ->
          throw new IllegalArgumentException(
              "there is no pace '" + name + "'; there are varied and slow");
    };
  }
}
