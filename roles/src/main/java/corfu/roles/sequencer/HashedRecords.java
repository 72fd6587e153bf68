package corfu.roles.sequencer;

/**
 * Records outside the heap that are found by a hash: chains from heads, by linear hashing (Litwin,
 * 1980). Each added record splits one chain in two. So the table grows without a rebuild, and no
 * request has to wait for one.
 *
 * <p>The first four bytes of a record link it to the next one of its chain. Not thread-safe.
 */
abstract class HashedRecords implements AutoCloseable {

  /** The number of no record. */
  static final int NOBODY = -1;

  /** The offset of a subclass's fields. */
  static final int FIELDS_AT = Integer.BYTES;

  private static final int LINK_AT = 0;

  private final Slabs records;
  private final Slabs heads = new Slabs(Integer.BYTES);
  private int size;
  private int chains;

  HashedRecords(int recordBytes) {
    records = new Slabs(recordBytes);
  }

  /**
   * Returns the hash of a record whose fields have been written; its low bits must be well spread.
   */
  abstract long hashOf(int record);

  /** Returns the number of records. Their own numbers are 0 and up, below this. */
  final int size() {
    return size;
  }

  /** Returns the memory outside the heap in bytes: records, heads, and free room. */
  final long memoryBytes() {
    return records.memoryBytes() + heads.memoryBytes();
  }

  /** Frees all memory. No method may be called afterwards. */
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

  /** Returns the first record that may have this hash, or {@link #NOBODY}. */
  final int first(long hash) {
    return chains == 0 ? NOBODY : head(chainOf(hash));
  }

  /** Returns the next record that may have the same hash, or {@link #NOBODY}. */
  final int next(int record) {
    return records.getInt(record, LINK_AT) - 1;
  }

  /** Adds a record. The caller must write its fields. */
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

  /** Links an unlinked record into the chain of this hash. */
  final void link(int record, long hash) {
    int chain = chainOf(hash);
    records.putInt(record, LINK_AT, head(chain) + 1);
    setHead(chain, record);
  }

  /** Removes a record from the chain of this hash, which must contain it. */
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
   * Returns the chain of a hash. Of 2^k + n chains, the first n and the last n are divided by one
   * more bit of the hash.
   */
  private int chainOf(long hash) {
    int half = Integer.highestOneBit(chains);
    int wide = (int) hash & (2 * half - 1);
    return wide < chains ? wide : wide - half;
  }

  /** Divides the next chain by the next bit of its records' hashes. */
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

  /**
   * Returns a chain's first record. Numbers are stored plus 1, so that zeroed memory means no
   * record.
   */
  private int head(int chain) {
    return heads.getInt(chain, 0) - 1;
  }

  private void setHead(int chain, int record) {
    heads.putInt(chain, 0, record + 1);
  }
}
