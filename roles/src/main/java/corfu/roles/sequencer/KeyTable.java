package corfu.roles.sequencer;

/**
 * Which keys of which streams were changed last, and at which log address: 32 bytes a key outside
 * the heap, and 4 to find it. It keeps a limited number, and forgets the lowest addresses first.
 *
 * <pre>
 *   0    4      8                16               24    28    32
 *   +----+------+----------------+----------------+-----+-----+
 *   |link|stream| key            | newest address |older|newer|
 *   +----+------+----------------+----------------+-----+-----+
 * </pre>
 *
 * All keys are in one list by their addresses, which {@code older} and {@code newer} make up. Not
 * thread-safe.
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
   * No keys.
   *
   * @param most how many it keeps, 1 or more
   * @param forgottenBelow it is not told of changes below this log address
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

  /** All changes at this log address or above are here; of those below, some may not be. */
  long forgottenBelow() {
    return forgottenBelow;
  }

  /** The log address of the newest change that is here, or {@link StreamTable#NEVER}. */
  long newest(int stream, long key) {
    int record = find(stream, key);
    return record == NOBODY ? StreamTable.NEVER : records().getLong(record, ADDRESS_AT);
  }

  /** The key was changed at this log address, as high as any before or higher. */
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

  /** Forgets the oldest change; its record is linked as one of this hash. */
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

  /** Keys are hashes, but nobody promises good ones. */
  private static long hash(int stream, long key) {
    long mixed = (key + stream * 0x9e3779b97f4a7c15L) * 0xd6e8feb86659fd93L;
    mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }
}
