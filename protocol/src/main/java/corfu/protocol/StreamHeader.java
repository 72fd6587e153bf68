package corfu.protocol;

import java.nio.ByteBuffer;

/**
 * What an entry says of one of its streams (dissertation, section 4.1, with ids of 128 bits and the
 * entry's address in the stream). Little-endian; it stands between the entry's header and its
 * payload.
 *
 * <pre>
 *   0                8                16               24               32
 *   +----------------+----------------+----------------+----+----+----+----+
 *   | stream, high   | stream, low    |0 stream address| d1 | d2 | d3 | d4 |  relative
 *   +----------------+----------------+----------------+----+----+----+----+
 *   | stream, high   | stream, low    |1 stream address| address           |  absolute
 *   +----------------+----------------+----------------+-------------------+
 * </pre>
 *
 * The highest bit of the stream address tells the format. Relative: the distances from this entry
 * back to the newest entries of the stream, the newest first; 0 where there is none, or none so
 * near. Absolute, where even the newest is more than 65,535 addresses away: its log address; all
 * ones where the stream had nothing before.
 *
 * @param stream which stream
 * @param streamAddress the entry's place in it; 0 or more, and never higher than its log address
 * @param previous the newest entries before it. Tokens that nobody used may be among them. What is
 *     read from bytes may be fewer than what was written, but never none instead of some.
 */
public record StreamHeader(StreamId stream, long streamAddress, Backpointers previous) {

  /** What it measures. */
  public static final int BYTES = 32;

  /** The longest way back that a distance can tell. */
  static final int LONGEST_DELTA = 0xffff;

  private static final int ADDRESS_AT = 16;
  private static final int POINTERS_AT = 24;
  private static final long NO_ADDRESS = -1;

  public StreamHeader {
    if (streamAddress < 0) {
      throw new IllegalArgumentException(
          "a stream address is never negative, but that of stream "
              + (stream + " is " + streamAddress));
    }
  }

  /**
   * Whether that of the entry at {@code address} has the absolute format: because there is nothing
   * before it, or nothing near.
   */
  public boolean isAbsolute(long address) {
    return previous.isEmpty() || address - previous.at(0) > LONGEST_DELTA;
  }

  /** Writes it for the entry at {@code address}. */
  void put(ByteBuffer out, int at, long address) {
    boolean isAbsolute = isAbsolute(address);
    out.putLong(at, stream.high()).putLong(at + 8, stream.low());
    out.putLong(at + ADDRESS_AT, isAbsolute ? streamAddress | Long.MIN_VALUE : streamAddress);
    if (isAbsolute) {
      out.putLong(at + POINTERS_AT, previous.isEmpty() ? NO_ADDRESS : previous.at(0));
      return;
    }
    for (int i = 0; i < Backpointers.MOST; i++) {
      long delta = i < previous.count() ? address - previous.at(i) : 0;
      out.putShort(at + POINTERS_AT + 2 * i, (short) (delta > LONGEST_DELTA ? 0 : delta));
    }
  }

  /**
   * Whether an entry at {@code address} could have the header that stands here: nothing that it
   * says leads forward.
   */
  static boolean isPlausible(ByteBuffer in, int at, long address) {
    if (in.getLong(at + ADDRESS_AT) < 0) {
      long pointer = in.getLong(at + POINTERS_AT);
      return pointer == NO_ADDRESS || (pointer >= 0 && pointer < address);
    }
    int before = 0;
    for (int i = 0; i < Backpointers.MOST; i++) {
      int delta = Short.toUnsignedInt(in.getShort(at + POINTERS_AT + 2 * i));
      if (delta == 0) {
        return i > 0;
      }
      if (delta <= before || delta > address) {
        return false;
      }
      before = delta;
    }
    return true;
  }

  /** The stream address of one that {@linkplain #isPlausible could be}. */
  static long streamAddress(ByteBuffer in, int at) {
    return in.getLong(at + ADDRESS_AT) & Long.MAX_VALUE;
  }

  /** Reads one that {@linkplain #isPlausible could be} of the entry at {@code address}. */
  static StreamHeader get(ByteBuffer in, int at, long address) {
    StreamId stream = new StreamId(in.getLong(at), in.getLong(at + 8));
    Backpointers previous =
        in.getLong(at + ADDRESS_AT) < 0
            ? absolute(in.getLong(at + POINTERS_AT))
            : relative(in, at + POINTERS_AT, address);
    return new StreamHeader(stream, streamAddress(in, at), previous);
  }

  private static Backpointers absolute(long pointer) {
    return pointer == NO_ADDRESS ? Backpointers.NONE : Backpointers.of(pointer);
  }

  private static Backpointers relative(ByteBuffer in, int at, long address) {
    int count = 0;
    while (count < Backpointers.MOST && in.getShort(at + 2 * count) != 0) {
      count++;
    }
    long[] pointers = new long[count];
    for (int i = 0; i < count; i++) {
      pointers[i] = address - Short.toUnsignedInt(in.getShort(at + 2 * i));
    }
    return Backpointers.of(pointers);
  }
}
