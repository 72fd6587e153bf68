package corfu.roles.sequencer;

/**
 * The log address of the last change of each key of each stream: 32 bytes for each key outside the
 * heap, and 4 to find it. It holds a limited number of keys, and forgets the lowest addresses
 * first.
 *
 * <pre>
 *   0    4      8                16               24    28    32
 *   +----+------+----------------+----------------+-----+-----+
 *   |link|stream| key            | newest address |older|newer|
 *   +----+------+----------------+----------------+-----+-----+
 * </pre>
 *
 * All keys are in one list in the order of their addresses, linked by {@code older} and {@code
 * newer}. Not thread-safe.
 */
final class KeyTable extends HashedRecords {

  private static final int BYTES = 32;
  private static final int STREAM_AT = FIELDS_AT;
  private static final int KEY_AT = 8;
  private static final int ADDRESS_AT = 16;
  private static final int OLDER_AT = 24;
  private static final int NEWER_AT = 28;

  private final int most;
  private long forgottenBelow;
  private int oldest = NOBODY;
  private int newest = NOBODY;

  /**
   * Creates an empty table.
   *
   * @param most the largest number of keys, 1 or more
   * @param forgottenBelow the log address below which changes are not reported to the table
   */
  KeyTable(int most, long forgottenBelow) {
    super(BYTES);
    this.most = most;
    this.forgottenBelow = forgottenBelow;
  }

  @Override
  long hashOf(int record) {
    return hash(records().getInt(record, STREAM_AT), records().getLong(record, KEY_AT));
  }

  /** Returns the log address from which on all changes are here; lower ones may be missing. */
  long forgottenBelow() {
    return forgottenBelow;
  }

  /** Returns the log address of the newest known change, or {@link StreamTable#NEVER}. */
  long newest(int stream, long key) {
    int record = find(stream, key);
    return record == NOBODY ? StreamTable.NEVER : records().getLong(record, ADDRESS_AT);
  }

  /** Records a change of the key at this log address, which must not be lower than earlier ones. */
  void changed(int stream, long key, long address) {
    int record = find(stream, key);
    if (record == NOBODY) {
      record = size() < most ? add(hash(stream, key)) : replaceOldest(hash(stream, key));
      records().putInt(record, STREAM_AT, stream);
      records().putLong(record, KEY_AT, key);
    } else {
      leaveList(record);
    }
    records().putLong(record, ADDRESS_AT, address);
    joinList(record);
  }

  private int find(int stream, long key) {
    int record = first(hash(stream, key));
    while (record != NOBODY
        && (records().getLong(record, KEY_AT) != key
            || records().getInt(record, STREAM_AT) != stream)) {
      record = next(record);
    }
    return record;
  }

  /**
   * Forgets the oldest change. Its record is linked under this hash.
   *
   * @return the record
   */
  private int replaceOldest(long hash) {
    int record = oldest;
    forgottenBelow = Math.max(forgottenBelow, records().getLong(record, ADDRESS_AT) + 1);
    leaveList(record);
    unlink(record, hashOf(record));
    link(record, hash);
    return record;
  }

  private void joinList(int record) {
    putNeighbour(record, OLDER_AT, newest);
    putNeighbour(record, NEWER_AT, NOBODY);
    if (newest == NOBODY) {
      oldest = record;
    } else {
      putNeighbour(newest, NEWER_AT, record);
    }
    newest = record;
  }

  private void leaveList(int record) {
    int older = neighbour(record, OLDER_AT);
    int newer = neighbour(record, NEWER_AT);
    if (older == NOBODY) {
      oldest = newer;
    } else {
      putNeighbour(older, NEWER_AT, newer);
    }
    if (newer == NOBODY) {
      newest = older;
    } else {
      putNeighbour(newer, OLDER_AT, older);
    }
  }

  private int neighbour(int record, int at) {
    return records().getInt(record, at);
  }

  private void putNeighbour(int record, int at, int neighbour) {
    records().putInt(record, at, neighbour);
  }

  /** Mixes the key again: keys are hashes, but perhaps bad ones. */
  private static long hash(int stream, long key) {
    long mixed = (key + stream * 0x9e3779b97f4a7c15L) * 0xd6e8feb86659fd93L;
    mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }
}
