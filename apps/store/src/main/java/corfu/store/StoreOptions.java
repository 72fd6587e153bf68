package corfu.store;

/**
 * The options of a store. Each {@code with} method changes one of them. A call beyond a limit sends
 * nothing, and fails with a {@link StoreLimitException}.
 *
 * @param maxKeyBytes the largest size of a key in UTF-8 bytes, up to 16 KiB
 * @param maxValueBytes the largest size of a value in bytes
 * @param maxKeys the largest number of keys of a call
 * @param maxBytes the largest size in bytes of all values of a call
 * @param inlineBytes the largest size in bytes of values that are part of the change's entry;
 *     larger values are appended before it, and the change refers to them
 * @param cacheBytes the size in bytes of the cache of values
 * @param checkpointEvery the number of changes between two checkpoints; 0 means no automatic
 *     checkpoints
 */
public record StoreOptions(
    int maxKeyBytes,
    int maxValueBytes,
    int maxKeys,
    int maxBytes,
    int inlineBytes,
    long cacheBytes,
    int checkpointEvery) {

  public static final StoreOptions DEFAULT =
      new StoreOptions(1024, 1 << 20, 10_000, 64 << 20, 256 << 10, 64L << 20, 100_000);

  public StoreOptions {
    if (maxKeyBytes < 1
        || maxKeyBytes > 1 << 14
        || maxValueBytes < 1
        || maxKeys < 1
        || maxBytes < maxValueBytes
        || inlineBytes < 0
        || cacheBytes < 0
        || checkpointEvery < 0) {
      throw new IllegalArgumentException(
          "bounds that exclude each other: keys of %d bytes, values of %d, %d keys and %d bytes in"
                  .formatted(maxKeyBytes, maxValueBytes, maxKeys, maxBytes)
              + " all, %d bytes inline, a cache of %d, a checkpoint every %d changes"
                  .formatted(inlineBytes, cacheBytes, checkpointEvery));
    }
  }

  /**
   * Changes the limit of inline values. With 0, every value has its own entry before the change, as
   * in CORFU, section 4.
   */
  public StoreOptions withInlineBytes(int bytes) {
    return new StoreOptions(
        maxKeyBytes, maxValueBytes, maxKeys, maxBytes, bytes, cacheBytes, checkpointEvery);
  }

  public StoreOptions withCacheBytes(long bytes) {
    return new StoreOptions(
        maxKeyBytes, maxValueBytes, maxKeys, maxBytes, inlineBytes, bytes, checkpointEvery);
  }

  public StoreOptions withCheckpointEvery(int changes) {
    return new StoreOptions(
        maxKeyBytes, maxValueBytes, maxKeys, maxBytes, inlineBytes, cacheBytes, changes);
  }

  /** Changes the limits of one call. */
  public StoreOptions withBounds(int keys, int valueBytes, int bytesInAll) {
    return new StoreOptions(
        maxKeyBytes, valueBytes, keys, bytesInAll, inlineBytes, cacheBytes, checkpointEvery);
  }
}
