package corfu.smr;

import java.time.Duration;

/** How a replica learns of other replicas' commands while no reader asks. Immutable. */
public sealed interface Follow {

  /**
   * Returns the longest time between two looks for other replicas' commands, 1 ms or more. A
   * replica that follows by push looks only while it receives no pushes.
   */
  Duration pollEvery();

  /** The replica asks the sequencer for other replicas' commands, again and again. */
  record Poll(Duration pollEvery) implements Follow {
    public Poll {
      check(pollEvery);
    }
  }

  /**
   * The log units push other replicas' commands, and the replica applies them when they arrive. It
   * polls only while it has no subscription to its stream.
   */
  record Push(Duration pollEvery) implements Follow {
    public Push {
      check(pollEvery);
    }
  }

  /**
   * Returns the setting of a replica that polls.
   *
   * @param every the longest time between two looks, 1 ms or more
   */
  static Follow poll(Duration every) {
    return new Poll(every);
  }

  /** Returns the setting of a replica that receives pushes, and polls every 20 ms without them. */
  static Follow push() {
    return push(Duration.ofMillis(20));
  }

  /**
   * Returns the setting of a replica that receives pushes.
   *
   * @param pollEvery the longest time between two looks while it receives none, 1 ms or more
   */
  static Follow push(Duration pollEvery) {
    return new Push(pollEvery);
  }

  private static void check(Duration pollEvery) {
    if (pollEvery.toMillis() < 1) {
      throw new IllegalArgumentException(
          "a replica looks for commands every millisecond at most, not every " + pollEvery);
    }
  }
}
