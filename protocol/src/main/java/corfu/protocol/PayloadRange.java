package corfu.protocol;

/**
 * A part of an entry's payload. A range that reaches beyond the payload means the part inside it.
 *
 * @param address the log address of the entry, 0 or more
 * @param offset the offset of the first byte in the payload, 0 or more
 * @param length the number of bytes, 1 or more
 */
public record PayloadRange(long address, int offset, int length) {

  /** The size of a range on the wire in bytes. */
  public static final int BYTES = Long.BYTES + 2 * Integer.BYTES;

  public PayloadRange {
    if (address < 0 || offset < 0 || length < 1) {
      throw new IllegalArgumentException(
          "a range has 1 byte or more from offset 0 or more on, but %d bytes from offset %d on were"
                  .formatted(length, offset)
              + " asked for at address "
              + address);
    }
  }

  /** Returns the offset of the range's first byte in a payload of this length. */
  public int startIn(int payloadBytes) {
    return Math.min(offset, payloadBytes);
  }

  /** Returns the offset behind the range's last byte in a payload of this length. */
  public int endIn(int payloadBytes) {
    return (int) Math.min((long) offset + length, payloadBytes);
  }
}
