package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The streams of one log file's entries, in the form of its footer and, while the file is written,
 * in memory. It needs three or four bytes for each entry in each stream, and some 32 bytes for each
 * stream.
 *
 * <pre>
 *   0        4        8        12       16             16 + 8 u         + 16 s        + 16 k   + b
 *   +--------+--------+--------+--------+--------------+----------------+-------------+--------+-----+
 *   | s      | b      | u      | k      | u addresses  | s stream ids   | k marks     | b bytes| pad |
 *   +--------+--------+--------+--------+--------------+----------------+-------------+--------+-----+
 *
 *   a mark
 *   0        4        8                16
 *   +--------+--------+----------------+
 *   | stream | off/8  | trimmed before |
 *   +--------+--------+----------------+
 * </pre>
 *
 * The bytes are three numbers for each entry and each of its streams, in the order of the entries:
 *
 * <ul>
 *   <li>the distance of the entry from the last one, as a number of the footer's entries, counted
 *       from the first;
 *   <li>the number of the stream among the ids;
 *   <li>the difference of its stream address from that of the same stream's last entry in the file,
 *       or from 0, with the sign in the lowest bit.
 * </ul>
 *
 * A number has seven bits in each byte, the lowest first. The highest bit of a byte tells that more
 * bytes follow (LEB128). {@code u} addresses have damaged entries, whose streams are unknown. A
 * mark gives the offset of the record that trims a stream, by its number, below a stream address.
 * Not thread-safe.
 */
public final class LogFileStreams {

  private static final int FIXED_BYTES = 16;
  private static final int MOST_NUMBER_BYTES = 10;

  private long[] ids = new long[8]; // high and low half of each id
  private long[] newest = new long[4]; // newest stream address of each
  private int[] table = new int[8]; // stream number + 1, found by hash
  private int count;
  private byte[] bytes = new byte[32];
  private int used;
  private int lastEntry;
  private long[] damaged = new long[0];
  private long[] marks = new long[0]; // stream and offset / 8, then stream address
  private int markCount;

  /** A visitor of records that trim a stream. */
  public interface MarkVisitor {
    void visit(StreamId stream, long before, long offset);
  }

  /** A visitor of entries of streams. */
  public interface Visitor {
    void visit(int entry, StreamId stream, long streamAddress);
  }

  boolean isEmpty() {
    return used == 0 && damaged.length == 0 && markCount == 0;
  }

  /**
   * Adds the streams of an entry.
   *
   * @param number the entry's number in the file; not below that of the entry before
   * @param entry the entry
   */
  void add(int number, Entry entry) {
    for (int i = 0; i < entry.streamCount(); i++) {
      add(number, entry.streamId(i), entry.streamAddress(i));
    }
  }

  private void add(int entry, StreamId id, long streamAddress) {
    int stream = numberOf(id);
    if (bytes.length - used < 3 * MOST_NUMBER_BYTES) {
      bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2 + 3 * MOST_NUMBER_BYTES);
    }
    long step = streamAddress - newest[stream];
    put(entry - lastEntry);
    put(stream);
    put((step << 1) ^ (step >> 63));
    newest[stream] = streamAddress;
    lastEntry = entry;
  }

  /** Adds the record at {@code offset}, which trims a stream. */
  public void addMark(StreamId stream, long before, long offset) {
    if (marks.length == 2 * markCount) {
      marks = Arrays.copyOf(marks, Math.max(8, 2 * marks.length));
    }
    marks[2 * markCount] = numberOf(stream) | ((offset >> 3) << Integer.SIZE);
    marks[2 * markCount + 1] = before;
    markCount++;
  }

  public int markCount() {
    return markCount;
  }

  /**
   * Visits the marks from number {@code from} on and below {@code to}, in the order of their
   * records.
   */
  public void forEachMark(int from, int to, MarkVisitor visitor) {
    for (int i = from; i < to; i++) {
      long offset = (marks[2 * i] >>> Integer.SIZE) << 3;
      visitor.visit(id((int) marks[2 * i]), marks[2 * i + 1], offset);
    }
  }

  /** Records that the entry at this address is unreadable. */
  void addDamaged(long address) {
    damaged = Arrays.copyOf(damaged, damaged.length + 1);
    damaged[damaged.length - 1] = address;
  }

  /** Returns the addresses of unreadable entries. */
  public long[] damaged() {
    return damaged;
  }

  private void put(long number) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      bytes[used++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[used++] = (byte) rest;
  }

  private int numberOf(StreamId id) {
    int mask = table.length - 1;
    int i = (int) id.hash() & mask;
    while (table[i] != 0) {
      int stream = table[i] - 1;
      if (ids[2 * stream + 1] == id.low() && ids[2 * stream] == id.high()) {
        return stream;
      }
      i = i + 1 & mask;
    }
    table[i] = count + 1;
    append(id);
    return count - 1;
  }

  private void append(StreamId id) {
    if (count == newest.length) {
      ids = Arrays.copyOf(ids, 2 * ids.length);
      newest = Arrays.copyOf(newest, 2 * count);
    }
    ids[2 * count] = id.high();
    ids[2 * count + 1] = id.low();
    newest[count++] = 0;
    if (4 * count > 3 * table.length) {
      fillTable(2 * table.length);
    }
  }

  private void fillTable(int slots) {
    table = new int[slots];
    for (int stream = 0; stream < count; stream++) {
      int i = (int) id(stream).hash() & slots - 1;
      while (table[i] != 0) {
        i = i + 1 & slots - 1;
      }
      table[i] = stream + 1;
    }
  }

  private StreamId id(int stream) {
    return new StreamId(ids[2 * stream], ids[2 * stream + 1]);
  }

  /** Visits every entry of every stream, in the order of the entries. */
  public void forEach(Visitor visitor) {
    StreamId[] streams = new StreamId[count];
    Arrays.setAll(streams, this::id);
    long[] last = new long[count];
    Numbers numbers = new Numbers();
    int entry = 0;
    while (numbers.at < used) {
      entry += (int) numbers.next();
      int stream = (int) numbers.next();
      long step = numbers.next();
      last[stream] += (step >>> 1) ^ -(step & 1);
      visitor.visit(entry, streams[stream], last[stream]);
    }
  }

  private final class Numbers {
    private int at;

    long next() {
      long number = 0;
      byte read;
      int shift = 0;
      do {
        read = bytes[at++];
        number |= (long) (read & 0x7f) << shift;
        shift += 7;
      } while (read < 0);
      return number;
    }
  }

  // ------------------------------------------------------------------------------------ footers

  /** Returns the size in a footer in bytes, a multiple of 8; 0 if there are no streams. */
  int encodedBytes() {
    return isEmpty()
        ? 0
        : FIXED_BYTES + 8 * damaged.length + 16 * (count + markCount) + padded(used);
  }

  private static int padded(int length) {
    return length + 7 & ~7;
  }

  void encode(ByteBuffer out) {
    if (isEmpty()) {
      return;
    }
    out.putInt(count).putInt(used).putInt(damaged.length).putInt(markCount);
    for (long address : damaged) {
      out.putLong(address);
    }
    for (int i = 0; i < 2 * count; i++) {
      out.putLong(ids[i]);
    }
    for (int i = 0; i < 2 * markCount; i++) {
      out.putLong(marks[i]);
    }
    out.put(bytes, 0, used).put(new byte[padded(used) - used]);
  }

  /**
   * Reads the bytes that {@link #encode} wrote. The result is read-only.
   *
   * @param in the bytes, up to its limit
   * @param entries the number of entries in the footer
   * @throws IllegalArgumentException if no program has written such bytes
   */
  static LogFileStreams decode(ByteBuffer in, int entries) {
    if (in.remaining() < FIXED_BYTES) {
      throw new IllegalArgumentException("streams in " + in.remaining() + " bytes");
    }
    LogFileStreams streams = new LogFileStreams();
    streams.count = in.getInt();
    streams.used = in.getInt();
    int damaged = in.getInt();
    streams.markCount = in.getInt();
    long bytes =
        8L * damaged + 16L * streams.count + 16L * streams.markCount + (streams.used + 7L & ~7L);
    if (streams.count < 0
        || streams.used < 0
        || damaged < 0
        || streams.markCount < 0
        || bytes != in.remaining()) {
      throw new IllegalArgumentException(
          "%d streams, %d marks, %d damaged entries and %d bytes in %d"
              .formatted(streams.count, streams.markCount, damaged, streams.used, in.remaining()));
    }
    streams.damaged = longs(in, damaged);
    streams.ids = longs(in, 2 * streams.count);
    streams.marks = longs(in, 2 * streams.markCount);
    streams.bytes = new byte[streams.used];
    in.get(streams.bytes);
    streams.check(entries);
    return streams;
  }

  /** Checks that all streams and entries of the content exist. */
  private void check(int entries) {
    for (int i = 0; i < markCount; i++) {
      if (Integer.compareUnsigned((int) marks[2 * i], count) >= 0 || marks[2 * i + 1] < 0) {
        throw new IllegalArgumentException("a mark of a stream that is not named");
      }
    }
    if (used > 0 && bytes[used - 1] < 0) {
      throw new IllegalArgumentException("numbers without an end");
    }
    long[] last = new long[count];
    Numbers numbers = new Numbers();
    long entry = 0;
    while (numbers.at < used) {
      long passed = numbers.next();
      long stream = numbers.at < used ? numbers.next() : -1;
      long step = numbers.at < used ? numbers.next() : -1;
      if (passed < 0
          || (entry += passed) < 0
          || entry >= entries
          || stream < 0
          || stream >= count) {
        throw new IllegalArgumentException("an entry or a stream that there is not");
      }
      last[(int) stream] += (step >>> 1) ^ -(step & 1);
      if (last[(int) stream] < 0) {
        throw new IllegalArgumentException("a negative stream address");
      }
    }
  }

  private static long[] longs(ByteBuffer in, int count) {
    long[] longs = new long[count];
    for (int i = 0; i < count; i++) {
      longs[i] = in.getLong();
    }
    return longs;
  }
}
