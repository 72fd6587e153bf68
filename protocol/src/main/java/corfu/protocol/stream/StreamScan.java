package corfu.protocol.stream;

import corfu.protocol.StreamId;

/**
 * Passes over the streams of which a server holds entries, one after the other, in small steps.
 * Quotas count what the streams store. An entry counts only on the head of its chain. While streams
 * are added or removed, a pass may miss a stream or count it twice, which the next pass corrects.
 * Lives on the server's thread.
 */
@FunctionalInterface
public interface StreamScan {

  /** The scan of a server that holds no entries. */
  StreamScan NONE = (most, visitor) -> false;

  /**
   * Continues the present pass, or begins another one.
   *
   * @param most the approximate number of streams and entries to examine
   * @return whether the pass has more to examine
   */
  boolean next(int most, Visitor visitor);

  /** The receiver of what a scan finds. */
  interface Visitor {

    /**
     * Returns whether to count the entries of a stream.
     *
     * @param owner the number from {@link LocalEntries#own}, or 0 if the stream has no owner
     */
    boolean wants(StreamId stream, int owner);

    /**
     * Receives the size of a wanted stream that has stored entries here. The size is an estimate if
     * some of the stream's entries have been trimmed: all of them count with their mean size.
     *
     * @param bytes the size of the stored entries in bytes, 1 or more
     */
    void stores(StreamId stream, int owner, long bytes);
  }
}
