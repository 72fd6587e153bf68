package corfu.smr;

import java.time.Duration;

/**
 * How a replica behaves; the {@code with} methods change one thing each.
 *
 * @param maxCommandsPerEntry how many commands may share an entry
 * @param maxEntryBytes how much of commands may share an entry; a larger one has an entry of its
 *     own
 * @param maxBatchesInFlight entries under way at the same time: while they are, further commands
 *     gather
 * @param maxPending commands that have been submitted and not answered yet; beyond it submitters
 *     wait
 * @param followEvery how often a replica that nobody asks looks for commands of others: how far it
 *     may lag behind
 * @param checkpointEvery how many entries are played before another checkpoint is written; 0: only
 *     when it is asked for
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

  /** How commands share entries. */
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
