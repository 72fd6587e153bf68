package corfu.smr;

import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import java.util.Optional;

/**
 * Decides when a replica writes a checkpoint by itself: after a number of entries. All replicas
 * decide at the same time, and most find that another replica was first. The lock of the state
 * guards everything except {@link #carryOut}.
 */
final class CheckpointSchedule {

  private final MachineCheckpoints checkpoints;
  private final int every;
  private final int keep;
  private int played;

  /**
   * @param every the number of entries between two checkpoints; 0 means never
   * @param keep the number of checkpoints that remain after each; 0 means all
   */
  CheckpointSchedule(MachineCheckpoints checkpoints, int every, int keep) {
    this.checkpoints = checkpoints;
    this.every = every;
    this.keep = keep;
  }

  /** Counts an entry that the replica has applied. */
  void played() {
    played++;
  }

  /** Resets the count: a checkpoint of the applied entries exists, or is being written. */
  void isDone() {
    played = 0;
  }

  boolean isDue() {
    return every > 0 && played >= every;
  }

  /**
   * Writes a checkpoint unless another replica has, and deletes history that is too old. Blocks.
   * After a failure another replica writes the next one.
   *
   * @param since the applied address when the checkpoint became due
   */
  void carryOut(Address since, Runnable checkpoint) {
    try {
      Optional<Checkpoint> newest = checkpoints.newest(new Address(Long.MAX_VALUE));
      if (newest.isEmpty() || newest.get().before().value() + every / 2 < since.value()) {
        checkpoint.run();
        if (keep > 0) {
          checkpoints.keepNewest(keep);
        }
      }
    } catch (CorfuException leftToOthers) {
      // the next one comes
    }
  }
}
