package corfu.store;

/**
 * How a store behaves; the {@code with} methods change one thing each. What is beyond a bound is
 * refused with a {@link StoreLimitException} before anything is sent.
 *
 * @param maxKeyBytes of a key in UTF-8, 16 KiB at most
 * @param maxValueBytes of one value
 * @param maxKeys that one call may change, or ask for
 * @param maxBytes of values that one call may change, or ask for
 * @param inlineBytes changes with no more than this much of values are one entry; the values of
 *     larger ones are appended before them, and the change refers to them
 * @param cacheBytes of values kept in memory, so that they are not read again
 * @param checkpointEvery how many changes lie between two checkpoints; 0: only when asked for
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

  /** 0: every value has an entry before the change's, as in CORFU, section 4. */
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

  /** How much one call may change or ask for. */
  public StoreOptions withBounds(int keys, int valueBytes, int bytesInAll) {
    return new StoreOptions(
        maxKeyBytes, valueBytes, keys, bytesInAll, inlineBytes, cacheBytes, checkpointEvery);
  }
}
