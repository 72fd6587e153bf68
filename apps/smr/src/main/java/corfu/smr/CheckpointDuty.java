package corfu.smr;

import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import java.util.Optional;

/**
 * When a replica writes a checkpoint by itself: after so many entries. All replicas come to want
 * one at the same time; most find that another was first. Guarded by the lock of the state that it
 * counts for, but for {@link #carryOut}.
 */
final class CheckpointDuty {

  private final Checkpoints checkpoints;
  private final int every;
  private int played;

  /**
   * @param every so many entries; 0: never
   */
  CheckpointDuty(Checkpoints checkpoints, int every) {
    this.checkpoints = checkpoints;
    this.every = every;
  }

  /** An entry has been carried out. */
  void played() {
    played++;
  }

  /** There is a checkpoint of what is played so far, or there will be in a moment. */
  void isDone() {
    played = 0;
  }

  boolean isDue() {
    return every > 0 && played >= every;
  }

  /**
   * Writes one, unless somebody has; blocks. What goes wrong is left to others.
   *
   * @param since what was played when it was due
   */
  void carryOut(Address since, Runnable checkpoint) {
    try {
      Optional<Checkpoint> newest = checkpoints.newest(new Address(Long.MAX_VALUE));
      if (newest.isEmpty() || newest.get().before().value() + every / 2 < since.value()) {
        checkpoint.run();
      }
    } catch (CorfuException leftToOthers) {
      // the next one comes
    }
  }
}
