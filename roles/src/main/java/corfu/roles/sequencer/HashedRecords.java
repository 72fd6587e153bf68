package corfu.roles.sequencer;

/**
 * Records outside the heap that are found by a hash: chains from heads, by linear hashing (Litwin,
 * 1980). With each record that comes, one chain is split in two, so the table grows without ever
 * being built anew, and no request has to wait for that.
 *
 * <p>The first four bytes of a record link it to the next one of its chain. Not thread-safe.
 */
abstract class HashedRecords implements AutoCloseable {

  /** Instead of a record's number: there is none. */
  static final int NOBODY = -1;

  /** Where the fields of those who extend this start. */
  static final int FIELDS_AT = Integer.BYTES;

  private static final int LINK_AT = 0;

  private final Slabs records;
  private final Slabs heads = new Slabs(Integer.BYTES);
  private int size;
  private int chains;

  HashedRecords(int recordBytes) {
    records = new Slabs(recordBytes);
  }

  /** The hash of a record whose fields have been written; its low bits must be well spread. */
  abstract long hashOf(int record);

  /** How many records there are; their numbers are the ones below that. */
  final int size() {
    return size;
  }

  /** What it has taken outside the heap: records, heads, and room for more. */
  final long memoryBytes() {
    return records.memoryBytes() + heads.memoryBytes();
  }

  /** Gives all memory back; nothing may be asked afterwards. */
  @Override
  public final void close() {
    records.close();
    heads.close();
    size = 0;
    chains = 0;
  }

  final Slabs records() {
    return records;
  }

  /** The first of those that may have this hash, or {@link #NOBODY}. */
  final int first(long hash) {
    return chains == 0 ? NOBODY : head(chainOf(hash));
  }

  /** The next of those that may have the same hash, or {@link #NOBODY}. */
  final int next(int record) {
    return records.getInt(record, LINK_AT) - 1;
  }

  /** Adds a record, whose fields the caller has to write. */
  final int add(long hash) {
    int record = size;
    records.reach(record);
    if (chains <= record) {
      split();
    }
    link(record, hash);
    size++;
    return record;
  }

  /** Puts a record that is in no chain into that of this hash. */
  final void link(int record, long hash) {
    int chain = chainOf(hash);
    records.putInt(record, LINK_AT, head(chain) + 1);
    setHead(chain, record);
  }

  /** Takes a record out of the chain of this hash, which it is in. */
  final void unlink(int record, long hash) {
    int chain = chainOf(hash);
    int before = head(chain);
    if (before == record) {
      setHead(chain, next(record));
      return;
    }
    while (next(before) != record) {
      before = next(before);
    }
    records.putInt(before, LINK_AT, next(record) + 1);
  }

  /**
   * Of 2^k + n chains, the first n and the last n have taken one more bit of the hash to divide.
   */
  private int chainOf(long hash) {
    int half = Integer.highestOneBit(chains);
    int wide = (int) hash & (2 * half - 1);
    return wide < chains ? wide : wide - half;
  }

  /** Divides the chain whose turn it is by the next bit of their hashes. */
  private void split() {
    int made = chains;
    heads.reach(made);
    chains++;
    int bit = Integer.highestOneBit(made);
    if (bit == 0) {
      return; // the first chain
    }
    int divided = made - bit;
    int record = head(divided);
    setHead(divided, NOBODY);
    while (record != NOBODY) {
      int following = next(record);
      int chain = (hashOf(record) & bit) == 0 ? divided : made;
      records.putInt(record, LINK_AT, head(chain) + 1);
      setHead(chain, record);
      record = following;
    }
  }

  /** Numbers are kept plus 1, so that fresh memory says nobody. */
  private int head(int chain) {
    return heads.getInt(chain, 0) - 1;
  }

  private void setHead(int chain, int record) {
    heads.putInt(chain, 0, record + 1);
  }
}
