package corfu.protocol;

import java.nio.ByteBuffer;

/**
 * An entry's header for one of its streams (dissertation, section 4.1, with ids of 128 bits and the
 * entry's address in the stream). Little-endian. Stream headers stand between the entry's header
 * and its payload.
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
 * The highest bit of the stream address selects the format. The relative format holds the distances
 * from this entry back to the stream's newest entries, the newest first. A distance of 0 means no
 * earlier entry, or none within reach. The absolute format serves if even the newest earlier entry
 * is more than 65,535 addresses away. It holds this entry's log address, or all ones if the stream
 * had no earlier entry.
 *
 * @param stream the stream's id
 * @param streamAddress the entry's position in the stream, 0 or more; never higher than its log
 *     address
 * @param previous the newest entries before it. They may include addresses of unused tokens. A
 *     header read from bytes may have fewer backpointers than were written, but never none instead
 *     of some.
 */
public record StreamHeader(StreamId stream, long streamAddress, Backpointers previous) {

  /** The size of a header in bytes. */
  public static final int BYTES = 32;

  /** The longest distance that the relative format can hold, in addresses. */
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
   * Returns whether the header of an entry at {@code address} uses the absolute format: there is no
   * earlier entry, or none within reach.
   */
  public boolean isAbsolute(long address) {
    return previous.isEmpty() || address - previous.at(0) > LONGEST_DELTA;
  }

  /** Writes the header of the entry at {@code address}. */
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
   * Returns whether an entry at {@code address} could have the header that stands here: none of its
   * backpointers leads forward.
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

  /** Returns the stream address in a {@linkplain #isPlausible plausible} header. */
  static long streamAddress(ByteBuffer in, int at) {
    return in.getLong(at + ADDRESS_AT) & Long.MAX_VALUE;
  }

  /** Reads a {@linkplain #isPlausible plausible} header of the entry at {@code address}. */
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
