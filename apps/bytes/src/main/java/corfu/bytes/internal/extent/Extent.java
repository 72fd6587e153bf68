package corfu.bytes.internal.extent;

/**
 * A range of a byte array, and the place of its bytes in the log.
 *
 * @param offset the first byte's offset in the array
 * @param length the number of bytes, 1 or more
 * @param address the log address of the entry that holds the bytes
 * @param position the first byte's position in the entry's payload
 */
public record Extent(long offset, long length, long address, long position) {

  /** Returns the offset behind the last byte. */
  public long end() {
    return offset + length;
  }

  /** Returns the part of this extent within a range that overlaps it. */
  public Extent within(long from, long to) {
    long low = Math.max(offset, from);
    long high = Math.min(end(), to);
    return new Extent(low, high - low, address, position + low - offset);
  }

  /** Returns whether another extent continues this one, in the array and in the same entry. */
  boolean isContinuedBy(Extent next) {
    return end() == next.offset && address == next.address && position + length == next.position;
  }

  /** Returns this extent and one that {@linkplain #isContinuedBy continues} it as one. */
  Extent plus(Extent next) {
    return new Extent(offset, length + next.length, address, position);
  }
}
