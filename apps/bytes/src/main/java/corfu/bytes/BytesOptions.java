package corfu.bytes;

/**
 * The options of a {@link BytesStore}. Immutable; {@link #DEFAULT} fits most, and each {@code with}
 * method returns a copy with one change.
 *
 * @param maxEntryBytes the most bytes of data in one entry of the log, 4 KiB or more; a longer
 *     write makes several entries. It must be at most the cluster's largest payload, less 1 KiB.
 * @param recentVersions the number of newest versions of an open array that are kept in memory, 1
 *     or more; an older version is played again from the stream
 * @param maxReadBytes the most bytes that one read returns, 1 or more
 * @param checkpointsFrom the number of entries, 1 or more, from which on a client that has played
 *     them writes a checkpoint for others. It waits for up to 32 times as many if the checkpoint
 *     would have more than a quarter of the bytes of these entries.
 * @param maxPageBytes the most bytes of memory of those pages of all maps that checkpoints hold,
 *     too, 0 or more: such a page is dropped at this limit, and read again when it is needed
 */
public record BytesOptions(
    int maxEntryBytes,
    int recentVersions,
    int maxReadBytes,
    int checkpointsFrom,
    long maxPageBytes) {

  /** The options for most uses. */
  public static final BytesOptions DEFAULT =
      new BytesOptions(4 << 20, 256, 64 << 20, 512, 256 << 20);

  public BytesOptions {
    if (maxEntryBytes < 4 << 10
        || recentVersions < 1
        || maxReadBytes < 1
        || checkpointsFrom < 1
        || maxPageBytes < 0) {
      throw new IllegalArgumentException(
          "an entry has 4096 bytes or more, pages 0 or more, and the others are 1 or more,"
              + " not %d, %d, %d, %d and %d"
                  .formatted(
                      maxEntryBytes, maxPageBytes, recentVersions, maxReadBytes, checkpointsFrom));
    }
  }

  public BytesOptions withMaxEntryBytes(int bytes) {
    return new BytesOptions(bytes, recentVersions, maxReadBytes, checkpointsFrom, maxPageBytes);
  }

  public BytesOptions withRecentVersions(int count) {
    return new BytesOptions(maxEntryBytes, count, maxReadBytes, checkpointsFrom, maxPageBytes);
  }

  public BytesOptions withMaxReadBytes(int bytes) {
    return new BytesOptions(maxEntryBytes, recentVersions, bytes, checkpointsFrom, maxPageBytes);
  }

  public BytesOptions withCheckpointsFrom(int entries) {
    return new BytesOptions(maxEntryBytes, recentVersions, maxReadBytes, entries, maxPageBytes);
  }

  public BytesOptions withMaxPageBytes(long bytes) {
    return new BytesOptions(maxEntryBytes, recentVersions, maxReadBytes, checkpointsFrom, bytes);
  }
}
