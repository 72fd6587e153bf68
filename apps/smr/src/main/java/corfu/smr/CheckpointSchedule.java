package corfu.smr;

import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import java.util.Optional;

/**
 * Decides when a replica writes a checkpoint by itself: after a number of commands, whose bytes are
 * also a part of those of the last checkpoint. So a large state is not written again for a few
 * commands. All replicas decide at the same time, and most find that another replica was first. The
 * lock of the state guards everything except {@link #carryOut}.
 */
final class CheckpointSchedule {

  /** The commands that a replica applies at its start are at most this part of a large state. */
  private static final int PART_OF_STATE = 4;

  private final MachineCheckpoints checkpoints;
  private final int every;
  private final int keep;
  private long played;
  private long playedBytes;
  private volatile long checkpointBytes; // of the last checkpoint that this replica knows
  private Address begun = new Address(0); // the applied address when the count began

  /**
   * @param every the number of commands between two checkpoints; 0 means never
   * @param keep the number of checkpoints that remain after each; 0 means all
   */
  CheckpointSchedule(MachineCheckpoints checkpoints, int every, int keep) {
    this.checkpoints = checkpoints;
    this.every = every;
    this.keep = keep;
  }

  /** Counts the commands of an entry that the replica has applied. */
  void played(int commands, int bytes) {
    played += commands;
    playedBytes += bytes;
  }

  /** Records the size of the newest checkpoint. */
  void knows(Checkpoint newest) {
    checkpointBytes = newest.bytes();
  }

  /**
   * Resets the count: a checkpoint exists, or is being written.
   *
   * @param applied the log address behind the last applied entry
   */
  void isDone(Address applied) {
    played = 0;
    playedBytes = 0;
    begun = applied;
  }

  /**
   * Returns the log address that a checkpoint must reach to make the due one needless, or empty if
   * none is due: half of what was applied since the count began. Another replica may have begun to
   * count at another place.
   *
   * @param applied the log address behind the last applied entry
   */
  Optional<Address> due(Address applied) {
    if (every == 0 || played < every || playedBytes < checkpointBytes / PART_OF_STATE) {
      return Optional.empty();
    }
    return Optional.of(new Address(begun.value() + (applied.value() - begun.value()) / 2));
  }

  /**
   * Writes a checkpoint unless another replica has, and deletes history that is too old. Blocks.
   * After a failure another replica writes the next one.
   *
   * @param enough the log address that another replica's checkpoint must reach, see {@link #due}
   */
  void carryOut(Address enough, Runnable checkpoint) {
    try {
      Optional<Checkpoint> newest = checkpoints.newest(new Address(Long.MAX_VALUE));
      newest.ifPresent(this::knows);
      if (newest.isEmpty() || newest.get().before().compareTo(enough) < 0) {
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
