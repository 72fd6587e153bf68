package corfu.smr;

import java.time.Duration;

/**
 * The options of a replica. Each {@code with} method changes one of them.
 *
 * @param maxCommandsPerEntry the largest number of commands of an entry, 1 or more
 * @param maxEntryBytes the largest size in bytes of commands that share an entry; a larger command
 *     gets its own entry
 * @param maxBatchesInFlight the largest number of in-flight entries; further commands gather
 * @param maxPending the largest number of commands without a reply; further submitters wait
 * @param follow the way in which the replica learns of other replicas' commands
 * @param checkpointEvery the number of commands between two checkpoints, more if the bytes of these
 *     are less than a quarter of the state; 0 means no automatic checkpoints
 * @param keepCheckpoints the number of checkpoints that remain after an automatic checkpoint; 0
 *     means all of them, and all commands
 */
public record SmrOptions(
    int maxCommandsPerEntry,
    int maxEntryBytes,
    int maxBatchesInFlight,
    int maxPending,
    Follow follow,
    int checkpointEvery,
    int keepCheckpoints) {

  public static final SmrOptions DEFAULT =
      new SmrOptions(1024, 256 << 10, 4, 1 << 16, Follow.poll(Duration.ofMillis(20)), 100_000, 0);

  public SmrOptions {
    if (maxCommandsPerEntry < 1
        || maxEntryBytes < 1
        || maxBatchesInFlight < 1
        || maxPending < 1
        || checkpointEvery < 0
        || keepCheckpoints < 0) {
      throw new IllegalArgumentException(
          "bounds are 1 or more, and numbers of checkpoints 0 or more, but this is %d commands and"
                  .formatted(maxCommandsPerEntry)
              + " %d bytes an entry, %d entries in flight, %d pending, a checkpoint every %d,"
                  .formatted(maxEntryBytes, maxBatchesInFlight, maxPending, checkpointEvery)
              + " and %d kept".formatted(keepCheckpoints));
    }
  }

  /**
   * Changes how commands share entries. With one entry in flight, the commands of a replica take
   * effect in the order of their submission; see {@link StateMachineReplica}.
   *
   * @param maxCommands the largest number of commands of an entry, 1 or more
   * @param maxBytes the largest size in bytes of commands that share an entry, 1 or more
   * @param maxInFlight the largest number of in-flight entries, 1 or more
   */
  public SmrOptions withBatches(int maxCommands, int maxBytes, int maxInFlight) {
    return new SmrOptions(
        maxCommands, maxBytes, maxInFlight, maxPending, follow, checkpointEvery, keepCheckpoints);
  }

  public SmrOptions withMaxPending(int commands) {
    return new SmrOptions(
        maxCommandsPerEntry,
        maxEntryBytes,
        maxBatchesInFlight,
        commands,
        follow,
        checkpointEvery,
        keepCheckpoints);
  }

  /**
   * Changes how the replica learns of other replicas' commands. Under any setting, reads and syncs
   * ask for the stream's end, and so are linearizable.
   */
  public SmrOptions withFollow(Follow way) {
    return new SmrOptions(
        maxCommandsPerEntry,
        maxEntryBytes,
        maxBatchesInFlight,
        maxPending,
        way,
        checkpointEvery,
        keepCheckpoints);
  }

  /**
   * Lets the replica poll.
   *
   * @param time the longest time between two looks for other replicas' commands, 1 ms or more, and
   *     so the largest lag of a replica without readers
   */
  public SmrOptions withFollowEvery(Duration time) {
    return withFollow(Follow.poll(time));
  }

  public SmrOptions withCheckpointEvery(int entries) {
    return new SmrOptions(
        maxCommandsPerEntry,
        maxEntryBytes,
        maxBatchesInFlight,
        maxPending,
        follow,
        entries,
        keepCheckpoints);
  }

  /**
   * Lets the replica forget old history by itself. After an automatic checkpoint it deletes the
   * commands and checkpoints that are older than the {@code count} newest checkpoints. A replica
   * that lags behind these continues from a checkpoint, and loses the replies to its in-flight
   * commands.
   *
   * @param count the number of checkpoints to keep; 0 keeps all
   */
  public SmrOptions withKeepCheckpoints(int count) {
    return new SmrOptions(
        maxCommandsPerEntry,
        maxEntryBytes,
        maxBatchesInFlight,
        maxPending,
        follow,
        checkpointEvery,
        count);
  }
}
