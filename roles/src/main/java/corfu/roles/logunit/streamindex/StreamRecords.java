package corfu.roles.logunit.streamindex;

import corfu.protocol.StreamId;
import corfu.roles.logunit.pagemap.Location;

/**
 * What is known of each stream, in a block of its own.
 *
 * <pre>
 *   0                16        24        32        40        48        56     60
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 *   | stream id      | newest  | its     | trimmed | passed  | place of| chunk| finger
 *   |                | address | stream  | before  | before  | the mark|      |      |
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 * </pre>
 *
 * The stream is trimmed below the mark, a stream address, and does not need entries any more that
 * it has passed, which goes ahead of the mark. The finger is the chunk where somebody was last,
 * unless that is the newest: who copies or plays a stream goes on near it.
 */
public final class StreamRecords {

  /** The address of the newest entry of a stream that has none. */
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

  /** Whether nothing is known of the stream. */
  public boolean isBlank(int record) {
    return newest(record) == NO_ENTRY && passedBefore(record) == 0;
  }

  /** The log address of the newest entry, or {@link #NO_ENTRY}. */
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

  /** Where the record on disk is that says so; {@link Location#NONE} if there is none. */
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

  /** Where somebody was last, or else the newest chunk. */
  int finger(int record) {
    int finger = blocks.getInt(record, FINGER);
    return finger == Blocks.NONE ? newestChunk(record) : finger;
  }

  void pointAt(int record, int chunk) {
    blocks.putInt(record, FINGER, chunk == newestChunk(record) ? Blocks.NONE : chunk);
  }

  /** A chunk has become another one. Whoever pointed at it points at that. */
  void replace(int record, int chunk, int by) {
    if (blocks.getInt(record, FINGER) == chunk) {
      blocks.putInt(record, FINGER, by);
    }
  }
}
