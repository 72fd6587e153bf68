package corfu.roles.logunit.streamindex;

import corfu.protocol.StreamId;
import corfu.roles.logunit.pagemap.Location;

/**
 * The record of each stream, in a block of its own.
 *
 * <pre>
 *   0                16        24        32        40        48        56     60
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 *   | stream id      | newest  | its     | trimmed | passed  | place of| chunk| finger
 *   |                | address | stream  | before  | before  | the mark|      |      |
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 * </pre>
 *
 * The stream is trimmed below the mark, a stream address. It no longer needs the entries that it
 * has passed, which may lie beyond the mark. The finger is the chunk of the last access, unless
 * that is the newest chunk: a client that copies or plays a stream continues near it.
 */
public final class StreamRecords {

  /** The address of the newest entry of an empty stream. */
  public static final long NO_ENTRY = -1;

  private static final int RECORD_BYTES = 64;
  private static final int HIGH = 0;
  private static final int LOW = 8;
  private static final int NEWEST = 16;
  private static final int NEWEST_STREAM = 24;
  private static final int TRIMMED = 32;
  private static final int PASSED = 40;
  private static final int PLACE = 48;
  private static final int CHUNK = 56;
  private static final int FINGER = 60;

  private final Blocks blocks;

  public StreamRecords(Blocks blocks) {
    this.blocks = blocks;
  }

  public int allocate(StreamId stream) {
    int record = blocks.allocate(RECORD_BYTES);
    blocks.putLong(record, HIGH, stream.high());
    blocks.putLong(record, LOW, stream.low());
    newest(record, NO_ENTRY, NO_ENTRY);
    blocks.putLong(record, TRIMMED, 0);
    blocks.putLong(record, PASSED, 0);
    blocks.putLong(record, PLACE, Location.NONE);
    newestChunk(record, Blocks.NONE);
    blocks.putInt(record, FINGER, Blocks.NONE);
    return record;
  }

  void free(int record) {
    blocks.free(record);
  }

  boolean isOf(int record, StreamId stream) {
    return blocks.getLong(record, LOW) == stream.low()
        && blocks.getLong(record, HIGH) == stream.high();
  }

  public StreamId stream(int record) {
    return new StreamId(blocks.getLong(record, HIGH), blocks.getLong(record, LOW));
  }

  /** Returns whether nothing is known of the stream. */
  public boolean isBlank(int record) {
    return newest(record) == NO_ENTRY && passedBefore(record) == 0;
  }

  /** Returns the log address of the newest entry, or {@link #NO_ENTRY}. */
  public long newest(int record) {
    return blocks.getLong(record, NEWEST);
  }

  long newestInStream(int record) {
    return blocks.getLong(record, NEWEST_STREAM);
  }

  public void newest(int record, long address, long streamAddress) {
    blocks.putLong(record, NEWEST, address);
    blocks.putLong(record, NEWEST_STREAM, streamAddress);
  }

  public long trimmedBefore(int record) {
    return blocks.getLong(record, TRIMMED);
  }

  /**
   * Returns the location of the mark's record on disk, or {@link Location#NONE} if there is none.
   */
  public long placeOfMark(int record) {
    return blocks.getLong(record, PLACE);
  }

  public void trimmedBefore(int record, long before, long place) {
    blocks.putLong(record, TRIMMED, before);
    blocks.putLong(record, PLACE, place);
    passed(record, before);
  }

  long passedBefore(int record) {
    return blocks.getLong(record, PASSED);
  }

  void passed(int record, long before) {
    blocks.putLong(record, PASSED, Math.max(before, passedBefore(record)));
  }

  int newestChunk(int record) {
    return blocks.getInt(record, CHUNK);
  }

  void newestChunk(int record, int chunk) {
    blocks.putInt(record, CHUNK, chunk);
  }

  /** Returns the chunk of the last access, or else the newest chunk. */
  int finger(int record) {
    int finger = blocks.getInt(record, FINGER);
    return finger == Blocks.NONE ? newestChunk(record) : finger;
  }

  void pointAt(int record, int chunk) {
    blocks.putInt(record, FINGER, chunk == newestChunk(record) ? Blocks.NONE : chunk);
  }

  /** Replaces a chunk that has moved, if the finger points at it. */
  void replace(int record, int chunk, int by) {
    if (blocks.getInt(record, FINGER) == chunk) {
      blocks.putInt(record, FINGER, by);
    }
  }
}
