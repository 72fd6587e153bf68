package corfu.disk;

import java.time.Duration;

/**
 * The options of a server of disks. Immutable; {@link #DEFAULT} fits most, and each {@code with}
 * method returns a copy with one change.
 *
 * @param bufferBytes the bytes of acknowledged writes of one disk that may wait in memory, at least
 *     32 MiB; further writes wait until there is room
 * @param entryBytes the most bytes of data in one entry, 64 KiB or more; the largest entry of the
 *     cluster must have room for 64 KiB more
 * @param entriesInFlight the most entries of one disk that are appended at the same time, 1 or more
 * @param outageLimit the time after which writes and flushes fail that the log has not taken
 * @param retryPause the pause before an entry that was not taken is appended again
 * @param idleTime the time after which a disk that no client has open is given back
 * @param lookEvery the time between two looks at the catalogue for new sizes and snapshots
 * @param reclaimBytes the bytes that overwritten data of a disk may take, besides one and a half
 *     times the bytes in use, until their space is reclaimed; 1 or more
 * @param cacheBytes the memory outside the heap for blocks that were read, of all disks of the
 *     server together; 0 keeps none
 */
public record DiskOptions(
    long bufferBytes,
    int entryBytes,
    int entriesInFlight,
    Duration outageLimit,
    Duration retryPause,
    Duration idleTime,
    Duration lookEvery,
    long reclaimBytes,
    long cacheBytes) {

  /** The options for most uses. */
  public static final DiskOptions DEFAULT =
      new DiskOptions(
          64 << 20,
          (4 << 20) - (64 << 10),
          4,
          Duration.ofSeconds(30),
          Duration.ofMillis(200),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          64 << 20,
          256 << 20);

  public DiskOptions {
    if (bufferBytes < 32 << 20 || entryBytes < 64 << 10 || entriesInFlight < 1) {
      throw new IllegalArgumentException(
          "a buffer has 32 MiB or more, an entry 64 KiB or more, and at least one is in flight,"
              + " not %d, %d and %d".formatted(bufferBytes, entryBytes, entriesInFlight));
    }
    if (reclaimBytes < 1) {
      throw new IllegalArgumentException(
          "space is reclaimed after 1 byte or more, not " + reclaimBytes);
    }
  }

  public DiskOptions withBufferBytes(long bytes) {
    return new DiskOptions(
        bytes,
        entryBytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        idleTime,
        lookEvery,
        reclaimBytes,
        cacheBytes);
  }

  public DiskOptions withEntryBytes(int bytes) {
    return new DiskOptions(
        bufferBytes,
        bytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        idleTime,
        lookEvery,
        reclaimBytes,
        cacheBytes);
  }

  public DiskOptions withEntriesInFlight(int count) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        count,
        outageLimit,
        retryPause,
        idleTime,
        lookEvery,
        reclaimBytes,
        cacheBytes);
  }

  /** Returns a copy with other times of a disk in an outage. */
  public DiskOptions withOutage(Duration limit, Duration pause) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        entriesInFlight,
        limit,
        pause,
        idleTime,
        lookEvery,
        reclaimBytes,
        cacheBytes);
  }

  public DiskOptions withIdleTime(Duration time) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        time,
        lookEvery,
        reclaimBytes,
        cacheBytes);
  }

  public DiskOptions withLookEvery(Duration time) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        idleTime,
        time,
        reclaimBytes,
        cacheBytes);
  }

  public DiskOptions withReclaimBytes(long bytes) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        idleTime,
        lookEvery,
        bytes,
        cacheBytes);
  }

  /** Returns a copy with another size of the cache. */
  public DiskOptions withCacheBytes(long bytes) {
    return new DiskOptions(
        bufferBytes,
        entryBytes,
        entriesInFlight,
        outageLimit,
        retryPause,
        idleTime,
        lookEvery,
        reclaimBytes,
        bytes);
  }
}
