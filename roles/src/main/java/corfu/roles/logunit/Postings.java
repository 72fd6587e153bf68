package corfu.roles.logunit;

import corfu.protocol.StreamId;
import java.util.Arrays;

/**
 * The entries of each stream: a record a stream with its newest entry, and {@link Chunks} with what
 * is behind that, linked both ways.
 *
 * <pre>
 *   0                16        24        32        40        48        56     60
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 *   | stream id      | newest  | its     | 0       | 0       | -1      | chunk| finger
 *   |                | address | stream  |         |         |         |      |      |
 *   +----------------+---------+---------+---------+---------+---------+------+------+
 * </pre>
 *
 * What comes in order is added at the end; what comes late costs the more the later it is, up to a
 * bound. The finger is the chunk where somebody was last, far from the newest: who copies or plays
 * a stream goes on near it.
 */
final class Postings {

  /** The address of the newest entry of a stream that has none. */
  static final long NO_ENTRY = -1;

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

  /**
   * What comes so many entries late splits a chunk in two, rather than that all of these are
   * written again each time.
   */
  private static final int LATE = 32;

  private final Blocks blocks;
  private final Chunks chunks;
  private final Scratch scratch = new Scratch();
  private long size;

  Postings(Blocks blocks) {
    this.blocks = blocks;
    this.chunks = new Chunks(blocks);
  }

  /** Whether nothing is known of a stream. */
  boolean isBlank(int record) {
    return newest(record) == NO_ENTRY;
  }

  /** Is shown entries; answers whether it wants to see another one. */
  interface Visitor {
    boolean visit(long address, long streamAddress);
  }

  /** Entries that are on their way from one chunk to another. */
  private static final class Scratch {
    private long[] addresses = new long[64];
    private long[] streamAddresses = new long[64];
    private int count;

    void add(long address, long streamAddress) {
      if (count == addresses.length) {
        addresses = Arrays.copyOf(addresses, count * 2);
        streamAddresses = Arrays.copyOf(streamAddresses, count * 2);
      }
      addresses[count] = address;
      streamAddresses[count++] = streamAddress;
    }
  }

  /** How many entries there are in all streams; one in several counts several times. */
  long size() {
    return size;
  }

  // ---------------------------------------------------------------------------------- records

  int newRecord(StreamId stream) {
    int record = blocks.allocate(RECORD_BYTES);
    blocks.putLong(record, HIGH, stream.high());
    blocks.putLong(record, LOW, stream.low());
    blocks.putLong(record, NEWEST, NO_ENTRY);
    blocks.putLong(record, NEWEST_STREAM, NO_ENTRY);
    blocks.putLong(record, TRIMMED, 0);
    blocks.putLong(record, PASSED, 0);
    blocks.putLong(record, PLACE, Location.NONE);
    blocks.putInt(record, CHUNK, Blocks.NONE);
    blocks.putInt(record, FINGER, Blocks.NONE);
    return record;
  }

  boolean isOf(int record, StreamId stream) {
    return blocks.getLong(record, LOW) == stream.low()
        && blocks.getLong(record, HIGH) == stream.high();
  }

  StreamId stream(int record) {
    return new StreamId(blocks.getLong(record, HIGH), blocks.getLong(record, LOW));
  }

  /** The log address of the newest entry, or {@link #NO_ENTRY}. */
  long newest(int record) {
    return blocks.getLong(record, NEWEST);
  }

  long newestStreamAddress(int record) {
    return blocks.getLong(record, NEWEST_STREAM);
  }

  // ---------------------------------------------------------------------------------- changes

  /** Adds an entry; nothing happens where there is one with this log address. */
  void add(int record, long address, long streamAddress) {
    long newest = newest(record);
    if (address > newest) {
      if (newest != NO_ENTRY) {
        behindNewest(record, newest, newestStreamAddress(record));
      }
      setNewest(record, address, streamAddress);
      size++;
    } else if (address < newest && behindNewest(record, address, streamAddress)) {
      size++;
    }
  }

  private void setNewest(int record, long address, long streamAddress) {
    blocks.putLong(record, NEWEST, address);
    blocks.putLong(record, NEWEST_STREAM, streamAddress);
  }

  private boolean behindNewest(int record, long address, long streamAddress) {
    int head = blocks.getInt(record, CHUNK);
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

  /** The oldest chunk whose last address is not below this one; there is one. */
  private int seek(int record, long address) {
    int finger = blocks.getInt(record, FINGER);
    int chunk = finger == Blocks.NONE ? blocks.getInt(record, CHUNK) : finger;
    while (chunks.last(chunk) < address) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && chunks.last(older) >= address) {
      chunk = older;
      older = chunks.older(chunk);
    }
    pointAt(record, chunk);
    return chunk;
  }

  private void pointAt(int record, int chunk) {
    blocks.putInt(record, FINGER, chunk == blocks.getInt(record, CHUNK) ? Blocks.NONE : chunk);
  }

  /** Into a chunk that has older ones and newer ones; false where it is there already. */
  private boolean insert(int record, int chunk, long address, long streamAddress) {
    int late = popAbove(chunk, address);
    if (chunks.last(chunk) == address) {
      pushBack(record, chunk);
      return false;
    }
    int here = push(record, chunk, address, streamAddress);
    pushBack(record, late > LATE ? link(record, here, chunks.newer(here)) : here);
    return true;
  }

  /** At the end of what is before the chunk, or as its first, or into one of its own. */
  private boolean insertBefore(int record, int chunk, long address, long streamAddress) {
    int older = chunks.older(chunk);
    if (older != Blocks.NONE) {
      push(record, older, address, streamAddress);
    } else if (chunks.count(chunk) > LATE) {
      push(record, link(record, Blocks.NONE, chunk), address, streamAddress);
    } else {
      popAbove(chunk, address);
      pushBack(record, push(record, chunk, address, streamAddress));
    }
    return true;
  }

  /** Takes an entry out again, which is there; the stream's newest one is another then. */
  void remove(int record, long address) {
    size--;
    if (address == newest(record)) {
      int head = blocks.getInt(record, CHUNK);
      if (head == Blocks.NONE) {
        setNewest(record, NO_ENTRY, NO_ENTRY);
      } else {
        setNewest(record, chunks.last(head), chunks.lastInStream(head));
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

  /** Frees the record and all that it has. */
  void drop(int record) {
    int chunk = blocks.getInt(record, CHUNK);
    while (chunk != Blocks.NONE) {
      int older = chunks.older(chunk);
      size -= chunks.count(chunk);
      chunks.free(chunk);
      chunk = older;
    }
    if (newest(record) != NO_ENTRY) {
      size--;
    }
    blocks.free(record);
  }

  // ---------------------------------------------------------------------------------- questions

  /** Shows the entries of which both addresses are below these, the newest first. */
  void descend(int record, long below, long streamBelow, Visitor visitor) {
    long newest = newest(record);
    if (newest == NO_ENTRY) {
      return;
    }
    long inStream = newestStreamAddress(record);
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

  /** Shows the entries from this stream address on, the oldest first. */
  void ascend(int record, long streamFrom, Visitor visitor) {
    int chunk = oldestReaching(record, streamFrom);
    Scratch some = new Scratch();
    while (chunk != Blocks.NONE) {
      pointAt(record, chunk);
      some.count = 0;
      Chunks.Cursor cursor = chunks.cursor(chunk);
      do {
        if (cursor.streamAddress() < streamFrom) {
          break;
        }
        some.add(cursor.address(), cursor.streamAddress());
      } while (cursor.back());
      for (int i = some.count - 1; i >= 0; i--) {
        if (!visitor.visit(some.addresses[i], some.streamAddresses[i])) {
          return;
        }
      }
      chunk = chunks.newer(chunk);
    }
    if (newest(record) != NO_ENTRY && newestStreamAddress(record) >= streamFrom) {
      visitor.visit(newest(record), newestStreamAddress(record));
    }
  }

  /** The oldest chunk that has an entry from this stream address on; NONE if no chunk has. */
  private int oldestReaching(int record, long streamFrom) {
    int chunk = blocks.getInt(record, CHUNK);
    if (chunk == Blocks.NONE || chunks.lastInStream(chunk) < streamFrom) {
      return Blocks.NONE;
    }
    int finger = blocks.getInt(record, FINGER);
    if (finger != Blocks.NONE) {
      chunk = finger;
    }
    while (chunks.lastInStream(chunk) < streamFrom) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && chunks.lastInStream(older) >= streamFrom) {
      chunk = older;
      older = chunks.older(chunk);
    }
    return chunk;
  }

  private int newestWithSomeBelow(int record, long below, long streamBelow) {
    int chunk = blocks.getInt(record, CHUNK);
    if (chunk == Blocks.NONE || endsBelow(chunk, below, streamBelow)) {
      return chunk;
    }
    int finger = blocks.getInt(record, FINGER);
    if (finger != Blocks.NONE) {
      chunk = finger;
    }
    while (endsBelow(chunk, below, streamBelow)) {
      chunk = chunks.newer(chunk);
    }
    int older = chunks.older(chunk);
    while (older != Blocks.NONE && !endsBelow(older, below, streamBelow)) {
      chunk = older;
      older = chunks.older(chunk);
    }
    pointAt(record, chunk);
    return chunk;
  }

  private boolean endsBelow(int chunk, long below, long streamBelow) {
    return chunks.last(chunk) < below && chunks.lastInStream(chunk) < streamBelow;
  }

  // ------------------------------------------------------------------------------------- purges

  /**
   * Drops entries that nobody needs from one chunk: the newest that lies below this log address.
   * The stream's newest entry stays.
   *
   * @param needed tells whether somebody needs an entry
   * @return the address below which to go on, or {@link #NO_ENTRY} where nothing is left
   */
  long purge(int record, long below, Visitor needed) {
    int chunk = newestBelow(record, below);
    if (chunk == Blocks.NONE) {
      return NO_ENTRY;
    }
    long first = chunks.first(chunk);
    int count = chunks.count(chunk);
    scratch.count = 0;
    Chunks.Cursor cursor = chunks.cursor(chunk);
    do {
      if (needed.visit(cursor.address(), cursor.streamAddress())) {
        scratch.add(cursor.address(), cursor.streamAddress());
      }
    } while (cursor.back());
    if (scratch.count < count) {
      size -= count - scratch.count;
      rewrite(record, chunk);
    } else {
      pointAt(record, chunk);
    }
    return first;
  }

  private int newestBelow(int record, long below) {
    int finger = blocks.getInt(record, FINGER);
    int chunk = finger == Blocks.NONE ? blocks.getInt(record, CHUNK) : finger;
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

  /** What was taken out is all that a chunk has from now on; a small one joins the next newer. */
  private void rewrite(int record, int chunk) {
    int older = chunks.older(chunk);
    int newer = chunks.newer(chunk);
    pointAt(record, chunk);
    chunks.clear(chunk);
    freeIfEmpty(record, chunk);
    if (scratch.count == 0) {
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
    pointAt(record, here);
  }

  // ------------------------------------------------------------------------------------- chunks

  /** A new chunk between these; the record's first where there is no newer one. */
  private int link(int record, int older, int newer) {
    int chunk = chunks.allocate(older, newer);
    relink(record, chunk, older, newer);
    return chunk;
  }

  /** Lets those on both sides know a chunk. */
  private void relink(int record, int chunk, int older, int newer) {
    if (older != Blocks.NONE) {
      chunks.setNewer(older, chunk);
    }
    if (newer == Blocks.NONE) {
      blocks.putInt(record, CHUNK, chunk);
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
        blocks.putInt(record, CHUNK, older);
      } else {
        chunks.setOlder(newer, older);
      }
      if (blocks.getInt(record, FINGER) == chunk) {
        blocks.putInt(record, FINGER, newer);
      }
      chunks.free(chunk);
    }
  }

  /** Adds an entry behind a chunk's last; returns the chunk that has it. */
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
    if (blocks.getInt(record, FINGER) == chunk) {
      blocks.putInt(record, FINGER, larger);
    }
    return larger;
  }

  /** Takes entries above the address out of the chunk, newest first; returns how many. */
  private int popAbove(int chunk, long address) {
    scratch.count = 0;
    while (chunks.count(chunk) > 0 && chunks.last(chunk) > address) {
      scratch.add(chunks.last(chunk), chunks.lastInStream(chunk));
      chunks.dropLast(chunk);
    }
    return scratch.count;
  }

  /** Adds what was taken out; returns the chunk that has the newest of it. */
  private int pushBack(int record, int chunk) {
    int here = chunk;
    for (int i = scratch.count - 1; i >= 0; i--) {
      here = push(record, here, scratch.addresses[i], scratch.streamAddresses[i]);
    }
    return here;
  }
}
