package corfu.roles.sequencer;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;

/**
 * The ends of streams: 52 bytes for each stream outside the heap, and 4 to find it.
 *
 * <pre>
 *   0    4                12               20               28               36   40   44   48
 *   +----+----------------+----------------+----------------+----------------+----+----+----+----+
 *   |link| stream, high   | stream, low    | stream address | newest address | d1 | d2 | d3 | w  |
 *   +----+----------------+----------------+----------------+----------------+----+----+----+----+
 * </pre>
 *
 * The stream address is that of the next entry. The newest address in the log is -1 if it is
 * unknown. Fields d1 to d3 are the distances back to the three entries before the newest, each from
 * its successor. A distance is 0 if there is no such entry, or none within 2^32. Field w is 1 more
 * than the distance back to the newest change of the whole stream in this epoch. It is 0 if there
 * is no such change, and 2^32 - 1 if it is that far or farther. Not thread-safe.
 */
final class StreamTable extends HashedRecords {

  /** The address if none is known. */
  static final long NEVER = -1;

  private static final int BYTES = 52;
  private static final int HIGH_AT = FIELDS_AT;
  private static final int LOW_AT = 12;
  private static final int STREAM_ADDRESS_AT = 20;
  private static final int NEWEST_AT = 28;
  private static final int DISTANCES_AT = 36;
  private static final int WHOLE_AT = 48;

  private static final int DISTANCES = Backpointers.MOST - 1;
  private static final long LONGEST = 0xffff_ffffL;

  StreamTable() {
    super(BYTES);
  }

  @Override
  long hashOf(int stream) {
    return new StreamId(records().getLong(stream, HIGH_AT), records().getLong(stream, LOW_AT))
        .hash();
  }

  /** Returns the stream's number in the table, or {@link #NOBODY}. */
  int find(StreamId id) {
    int stream = first(id.hash());
    while (stream != NOBODY
        && (records().getLong(stream, LOW_AT) != id.low()
            || records().getLong(stream, HIGH_AT) != id.high())) {
      stream = next(stream);
    }
    return stream;
  }

  /** Adds an absent stream with this end. Returns its number. */
  int enter(StreamId id, StreamPosition end) {
    int stream = add(id.hash());
    records().putLong(stream, HIGH_AT, id.high());
    records().putLong(stream, LOW_AT, id.low());
    put(stream, end);
    return stream;
  }

  /** Sets the end of the stream. Its changes of the whole stream are then unknown. */
  void put(int stream, StreamPosition end) {
    records().putLong(stream, STREAM_ADDRESS_AT, end.streamAddress());
    Backpointers previous = end.previous();
    records().putLong(stream, NEWEST_AT, previous.isEmpty() ? NEVER : previous.at(0));
    for (int i = 0; i < DISTANCES; i++) {
      boolean isThere = i + 1 < previous.count();
      putDistance(stream, i, isThere ? previous.at(i) - previous.at(i + 1) : 0);
    }
    records().putInt(stream, WHOLE_AT, 0);
  }

  /** Returns the end of the stream. */
  StreamPosition end(int stream) {
    return new StreamPosition(streamAddress(stream), previous(stream));
  }

  /** Returns the number of the stream's entries, trimmed and never written ones included. */
  long streamAddress(int stream) {
    return records().getLong(stream, STREAM_ADDRESS_AT);
  }

  /** Returns the newest log address issued for the stream, or {@link #NEVER}. */
  long newest(int stream) {
    return records().getLong(stream, NEWEST_AT);
  }

  /**
   * Returns the log address of the newest change of the whole stream in this epoch, or a higher
   * one, or {@link #NEVER}.
   */
  long newestOfWhole(int stream) {
    long kept = Integer.toUnsignedLong(records().getInt(stream, WHOLE_AT));
    return kept == 0 ? NEVER : newest(stream) - (kept - 1);
  }

  /** Adds the next entry of the stream at this log address, which is higher than all before. */
  void advance(int stream, long address) {
    long newest = newest(stream);
    records().putLong(stream, STREAM_ADDRESS_AT, streamAddress(stream) + 1);
    records().putLong(stream, NEWEST_AT, address);
    for (int i = DISTANCES - 1; i > 0; i--) {
      putDistance(stream, i, distance(stream, i - 1));
    }
    putDistance(stream, 0, newest == NEVER ? 0 : address - newest);
    long whole = Integer.toUnsignedLong(records().getInt(stream, WHOLE_AT));
    if (whole != 0) {
      long farther = Math.min(LONGEST - whole, address - newest);
      records().putInt(stream, WHOLE_AT, (int) (whole + farther));
    }
  }

  /** Records that the stream's newest entry changes the whole stream. */
  void newestChangesWhole(int stream) {
    records().putInt(stream, WHOLE_AT, 1);
  }

  private Backpointers previous(int stream) {
    long newest = newest(stream);
    if (newest == NEVER) {
      return Backpointers.NONE;
    }
    int count = 1;
    while (count <= DISTANCES && distance(stream, count - 1) != 0) {
      count++;
    }
    long[] addresses = new long[count];
    addresses[0] = newest;
    for (int i = 1; i < count; i++) {
      addresses[i] = addresses[i - 1] - distance(stream, i - 1);
    }
    return Backpointers.of(addresses);
  }

  private long distance(int stream, int index) {
    return Integer.toUnsignedLong(records().getInt(stream, DISTANCES_AT + index * Integer.BYTES));
  }

  private void putDistance(int stream, int index, long distance) {
    int kept = distance > LONGEST ? 0 : (int) distance;
    records().putInt(stream, DISTANCES_AT + index * Integer.BYTES, kept);
  }
}
