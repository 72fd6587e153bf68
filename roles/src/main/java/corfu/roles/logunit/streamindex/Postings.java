package corfu.roles.logunit.streamindex;

/**
 * The entries of each stream. The newest one is in the stream's {@linkplain StreamRecords record};
 * older ones are in {@link Chunks}, linked both ways. Entries that arrive in order are added at the
 * end. A late entry costs more the later it is, up to a bound.
 */
public final class Postings {

  /** The address of the newest entry of an empty stream. */
  private static final long NO_ENTRY = StreamRecords.NO_ENTRY;

  /**
   * An entry that is late by more entries than this splits a chunk in two. Otherwise all those
   * entries would be written again each time.
   */
  private static final int LATE = 32;

  private final StreamRecords records;
  private final Chunks chunks;
  private final AddressPairs scratch = new AddressPairs(); // entries that move between chunks
  private long size;

  public Postings(Blocks blocks, StreamRecords records) {
    this.records = records;
    this.chunks = new Chunks(blocks);
  }

  /** A visitor of entries. Returns whether it wants another entry. */
  public interface Visitor {
    boolean visit(long address, long streamAddress);
  }

  /**
   * Returns the number of entries in all streams. An entry of several streams counts several times.
   */
  public long size() {
    return size;
  }

  // ---------------------------------------------------------------------------------- changes

  /** Adds an entry. Does nothing if there is one with this log address. */
  public void add(int record, long address, long streamAddress) {
    long newest = records.newest(record);
    if (address > newest) {
      if (newest != NO_ENTRY) {
        behindNewest(record, newest, records.newestInStream(record));
      }
      records.newest(record, address, streamAddress);
      size++;
    } else if (address < newest && behindNewest(record, address, streamAddress)) {
      size++;
    }
  }

  private boolean behindNewest(int record, long address, long streamAddress) {
    int head = records.newestChunk(record);
    if (head == Blocks.NONE) {
      push(record, link(record, Blocks.NONE, Blocks.NONE), address, streamAddress);
      return true;
    }
    if (address > chunks.last(head)) {
      push(record, head, address, streamAddress);
      return true;
    }
    int chunk = seek(record, address);
    if (address == chunks.last(chunk)) {
      return false;
    }
    if (address > chunks.first(chunk)) {
      return insert(record, chunk, address, streamAddress);
    }
    return address < chunks.first(chunk) && insertBefore(record, chunk, address, streamAddress);
  }

  /** Returns the oldest chunk whose last address is not below this one. Such a chunk must exist. */
  private int seek(int record, long address) {
    int chunk = records.finger(record);
    while (chunks.last(chunk) < address) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && chunks.last(older) >= address) {
      chunk = older;
      older = chunks.older(chunk);
    }
    records.pointAt(record, chunk);
    return chunk;
  }

  /**
   * Adds an entry to a chunk with older and newer entries. Returns false if the entry is there
   * already.
   */
  private boolean insert(int record, int chunk, long address, long streamAddress) {
    if (chunks.isFull(chunk)) { // more late entries may follow
      pop(chunk, Math.min(2 * LATE, chunks.count(chunk) / 2));
      pushBack(record, link(record, chunk, chunks.newer(chunk)));
      return behindNewest(record, address, streamAddress);
    }
    int late = popAbove(chunk, address);
    if (chunks.last(chunk) == address) {
      pushBack(record, chunk);
      return false;
    }
    int here = push(record, chunk, address, streamAddress);
    pushBack(record, late > LATE ? link(record, here, chunks.newer(here)) : here);
    return true;
  }

  /**
   * Adds an entry before a chunk: at the end of the previous chunk, as the first of this one, or in
   * a chunk of its own.
   */
  private boolean insertBefore(int record, int chunk, long address, long streamAddress) {
    int older = chunks.older(chunk);
    if (older != Blocks.NONE && !chunks.isFull(older)) {
      push(record, older, address, streamAddress);
    } else if (chunks.count(chunk) > LATE) {
      push(record, link(record, older, chunk), address, streamAddress);
    } else {
      popAbove(chunk, address);
      pushBack(record, push(record, chunk, address, streamAddress));
    }
    return true;
  }

  /**
   * Removes an existing entry. If it is the stream's newest one, the previous one becomes the
   * newest.
   */
  public void remove(int record, long address) {
    size--;
    if (address == records.newest(record)) {
      int head = records.newestChunk(record);
      if (head == Blocks.NONE) {
        records.newest(record, NO_ENTRY, NO_ENTRY);
      } else {
        records.newest(record, chunks.last(head), chunks.lastInStream(head));
        chunks.dropLast(head);
        freeIfEmpty(record, head);
      }
      return;
    }
    int chunk = seek(record, address);
    popAbove(chunk, address);
    chunks.dropLast(chunk);
    freeIfEmpty(record, pushBack(record, chunk));
  }

  /** Frees the record and all of its chunks. */
  public void drop(int record) {
    int chunk = records.newestChunk(record);
    while (chunk != Blocks.NONE) {
      int older = chunks.older(chunk);
      size -= chunks.count(chunk);
      chunks.free(chunk);
      chunk = older;
    }
    if (records.newest(record) != NO_ENTRY) {
      size--;
    }
    records.free(record);
  }

  // ---------------------------------------------------------------------------------- questions

  /** Visits the entries of which both addresses are below these bounds, the newest first. */
  public void descend(int record, long below, long streamBelow, Visitor visitor) {
    long newest = records.newest(record);
    if (newest == NO_ENTRY) {
      return;
    }
    long inStream = records.newestInStream(record);
    if (newest < below && inStream < streamBelow && !visitor.visit(newest, inStream)) {
      return;
    }
    int chunk = newestWithSomeBelow(record, below, streamBelow);
    while (chunk != Blocks.NONE) {
      Chunks.Cursor cursor = chunks.cursor(chunk);
      do {
        boolean wanted = cursor.address() < below && cursor.streamAddress() < streamBelow;
        if (wanted && !visitor.visit(cursor.address(), cursor.streamAddress())) {
          return;
        }
      } while (cursor.back());
      chunk = chunks.older(chunk);
    }
  }

  private int newestWithSomeBelow(int record, long below, long streamBelow) {
    int chunk = records.newestChunk(record);
    if (chunk == Blocks.NONE || endsBelow(chunk, below, streamBelow)) {
      return chunk;
    }
    chunk = records.finger(record);
    while (endsBelow(chunk, below, streamBelow)) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && !endsBelow(older, below, streamBelow)) {
      chunk = older;
      older = chunks.older(chunk);
    }
    records.pointAt(record, chunk);
    return chunk;
  }

  private boolean endsBelow(int chunk, long below, long streamBelow) {
    return chunks.last(chunk) < below && chunks.lastInStream(chunk) < streamBelow;
  }

  /**
   * Visits the entries whose stream address is at least {@code from} and below {@code to}, in
   * ascending order. The visitor must not change the list.
   */
  public void ascend(int record, long from, long to, Visitor visitor) {
    int chunk = oldestReaching(record, from);
    while (chunk != Blocks.NONE) {
      records.pointAt(record, chunk);
      takeAll(chunk);
      for (int i = scratch.count() - 1; i >= 0; i--) {
        long inStream = scratch.streamAddress(i);
        if (inStream >= to || (inStream >= from && !visitor.visit(scratch.address(i), inStream))) {
          return;
        }
      }
      chunk = chunks.newer(chunk);
    }
    long newest = records.newestInStream(record);
    if (records.newest(record) != NO_ENTRY && newest >= from && newest < to) {
      visitor.visit(records.newest(record), newest);
    }
  }

  private int oldestReaching(int record, long from) {
    int chunk = records.newestChunk(record);
    if (chunk == Blocks.NONE || chunks.lastInStream(chunk) < from) {
      return Blocks.NONE;
    }
    chunk = records.finger(record);
    while (chunks.lastInStream(chunk) < from) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && chunks.lastInStream(older) >= from) {
      chunk = older;
      older = chunks.older(chunk);
    }
    return chunk;
  }

  private void takeAll(int chunk) {
    scratch.clear();
    Chunks.Cursor cursor = chunks.cursor(chunk);
    do {
      scratch.add(cursor.address(), cursor.streamAddress());
    } while (cursor.back());
  }

  // ------------------------------------------------------------------------------------- purges

  /**
   * Removes unneeded entries from one chunk, the newest one below this log address. The stream's
   * newest entry stays.
   *
   * @param record the stream's record
   * @param below the log address below which the chunk lies
   * @param needed returns whether an entry is needed
   * @return the address below which to continue, or {@link #NO_ENTRY} if nothing is left
   */
  public long purge(int record, long below, Visitor needed) {
    int chunk = newestBelow(record, below);
    if (chunk == Blocks.NONE) {
      return NO_ENTRY;
    }
    long first = chunks.first(chunk);
    int count = chunks.count(chunk);
    scratch.clear();
    Chunks.Cursor cursor = chunks.cursor(chunk);
    do {
      if (needed.visit(cursor.address(), cursor.streamAddress())) {
        scratch.add(cursor.address(), cursor.streamAddress());
      }
    } while (cursor.back());
    if (scratch.count() < count) {
      size -= count - scratch.count();
      rewrite(record, chunk);
    } else {
      records.pointAt(record, chunk);
    }
    return first;
  }

  private int newestBelow(int record, long below) {
    int chunk = records.finger(record);
    while (chunk != Blocks.NONE && chunks.last(chunk) >= below) {
      chunk = chunks.older(chunk);
    }
    while (chunk != Blocks.NONE
        && chunks.newer(chunk) != Blocks.NONE
        && chunks.last(chunks.newer(chunk)) < below) {
      chunk = chunks.newer(chunk);
    }
    return chunk;
  }

  /**
   * Replaces a chunk's content with the removed entries. A small chunk is joined with the next
   * newer one.
   */
  private void rewrite(int record, int chunk) {
    int older = chunks.older(chunk);
    int newer = chunks.newer(chunk);
    records.pointAt(record, chunk);
    chunks.clear(chunk);
    freeIfEmpty(record, chunk);
    if (scratch.count() == 0) {
      return;
    }
    int here = pushBack(record, link(record, older, newer));
    boolean bothAreSmall =
        newer != Blocks.NONE
            && chunks.usedBytes(here) + chunks.usedBytes(newer) < Blocks.LARGEST_BYTES / 2;
    if (bothAreSmall) {
      popAbove(newer, NO_ENTRY);
      freeIfEmpty(record, newer);
      here = pushBack(record, here);
    }
    records.pointAt(record, here);
  }

  // ------------------------------------------------------------------------------------- chunks

  /**
   * Allocates a chunk between these two. It becomes the record's newest chunk if there is no newer
   * one.
   */
  private int link(int record, int older, int newer) {
    int chunk = chunks.allocate(older, newer);
    relink(record, chunk, older, newer);
    return chunk;
  }

  /** Links both neighbours to a chunk. */
  private void relink(int record, int chunk, int older, int newer) {
    if (older != Blocks.NONE) {
      chunks.setNewer(older, chunk);
    }
    if (newer == Blocks.NONE) {
      records.newestChunk(record, chunk);
    } else {
      chunks.setOlder(newer, chunk);
    }
  }

  private void freeIfEmpty(int record, int chunk) {
    if (chunks.count(chunk) == 0) {
      int older = chunks.older(chunk);
      int newer = chunks.newer(chunk);
      if (older != Blocks.NONE) {
        chunks.setNewer(older, newer);
      }
      if (newer == Blocks.NONE) {
        records.newestChunk(record, older);
      } else {
        chunks.setOlder(newer, older);
      }
      records.replace(record, chunk, newer);
      chunks.free(chunk);
    }
  }

  /** Adds an entry behind a chunk's last one. Returns the chunk with the entry. */
  private int push(int record, int chunk, long address, long streamAddress) {
    int here = chunk;
    while (!chunks.append(here, address, streamAddress)) {
      here =
          chunks.isLargest(here) ? link(record, here, chunks.newer(here)) : enlarge(record, here);
    }
    return here;
  }

  private int enlarge(int record, int chunk) {
    int larger = chunks.enlarge(chunk);
    relink(record, larger, chunks.older(larger), chunks.newer(larger));
    records.replace(record, chunk, larger);
    return larger;
  }

  /** Removes the entries above the address from the chunk, newest first. Returns their number. */
  private int popAbove(int chunk, long address) {
    scratch.clear();
    while (chunks.count(chunk) > 0 && chunks.last(chunk) > address) {
      pop(chunk);
    }
    return scratch.count();
  }

  private void pop(int chunk, int count) {
    scratch.clear();
    for (int i = 0; i < count; i++) {
      pop(chunk);
    }
  }

  private void pop(int chunk) {
    scratch.add(chunks.last(chunk), chunks.lastInStream(chunk));
    chunks.dropLast(chunk);
  }

  /** Adds the removed entries again. Returns the chunk with the newest of them. */
  private int pushBack(int record, int chunk) {
    int here = chunk;
    for (int i = scratch.count() - 1; i >= 0; i--) {
      here = push(record, here, scratch.address(i), scratch.streamAddress(i));
    }
    return here;
  }
}
