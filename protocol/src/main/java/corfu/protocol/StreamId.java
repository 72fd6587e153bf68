package corfu.protocol;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Names a stream: 128 bits. A stream needs no creation; it exists once something has been appended
 * to it.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
public record StreamId(long high, long low) implements Comparable<StreamId> {

  /** Into how many parts the streams of a cluster are divided where they are listed. */
  public static final int PARTS = 256;

  /**
   * Reserved: no application's stream. Where streams have replicas of their own, it holds what is
   * in no stream (docs/design.md, section 4, R4).
   */
  public static final StreamId NONE = new StreamId(0, 0);

  /**
   * The stream of this name: its id is the name's UUID of version 3 (RFC 9562, MD5) without a
   * namespace, as {@link UUID#nameUUIDFromBytes} makes it from the name's UTF-8 bytes.
   */
  public static StreamId named(String name) {
    UUID uuid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return new StreamId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is no UUID
   */
  public static StreamId parse(String text) {
    UUID uuid = UUID.fromString(text);
    return new StreamId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** Spreads ids evenly, also those that somebody counted up. Part of the wire protocol. */
  public long hash() {
    long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9e3779b97f4a7c15L + low;
    mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }

  /** Which of the {@link #PARTS} it is in: the highest byte of its {@linkplain #hash hash}. */
  public int part() {
    return (int) (hash() >>> 56);
  }

  /** By their bits, unsigned: the order of an entry's registers (docs/design.md, section 4). */
  @Override
  public int compareTo(StreamId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** As a UUID. */
  @Override
  public String toString() {
    return new UUID(high, low).toString();
  }
}
