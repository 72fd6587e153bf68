package corfu.sim.fault;

/** How soon faults follow each other, and how long they last. */
public enum Pace {
  /** Every seed has its own: mostly many short faults. */
  VARIED,
  /**
   * A fault every few seconds, each of which lasts for seconds: so there is time in between in
   * which calls must succeed, and failures meet a cluster that is healing from the one before.
   */
  SLOW;

  /**
   * The pace of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Pace named(String name) {
    return switch (name) {
      case "varied" -> VARIED;
      case "slow" -> SLOW;
      default ->
          throw new IllegalArgumentException(
              "there is no pace '" + name + "'; there are varied and slow");
    };
  }
}
