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
 * @param followEvery the longest time between two looks for other replicas' commands, and so the
 *     largest lag of a replica without readers
 * @param checkpointEvery the number of entries between two checkpoints; 0 means no automatic
 *     checkpoints
 */
public record SmrOptions(
    int maxCommandsPerEntry,
    int maxEntryBytes,
    int maxBatchesInFlight,
    int maxPending,
    Duration followEvery,
    int checkpointEvery) {

  public static final SmrOptions DEFAULT =
      new SmrOptions(1024, 256 << 10, 4, 1 << 16, Duration.ofMillis(20), 100_000);

  public SmrOptions {
    if (maxCommandsPerEntry < 1
        || maxEntryBytes < 1
        || maxBatchesInFlight < 1
        || maxPending < 1
        || checkpointEvery < 0
        || followEvery.toMillis() < 1) {
      throw new IllegalArgumentException(
          "bounds are 1 or more, and a replica follows every millisecond at most, but this is "
              + "%d commands and %d bytes an entry, %d entries in flight, %d pending, every %s, %d"
                  .formatted(
                      maxCommandsPerEntry,
                      maxEntryBytes,
                      maxBatchesInFlight,
                      maxPending,
                      followEvery,
                      checkpointEvery));
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
        maxCommands, maxBytes, maxInFlight, maxPending, followEvery, checkpointEvery);
  }

  public SmrOptions withMaxPending(int commands) {
    return new SmrOptions(
        maxCommandsPerEntry,
        maxEntryBytes,
        maxBatchesInFlight,
        commands,
        followEvery,
        checkpointEvery);
  }

  public SmrOptions withFollowEvery(Duration time) {
    return new SmrOptions(
        maxCommandsPerEntry, maxEntryBytes, maxBatchesInFlight, maxPending, time, checkpointEvery);
  }

  public SmrOptions withCheckpointEvery(int entries) {
    return new SmrOptions(
        maxCommandsPerEntry, maxEntryBytes, maxBatchesInFlight, maxPending, followEvery, entries);
  }
}
