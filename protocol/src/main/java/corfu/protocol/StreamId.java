package corfu.protocol;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The name of a stream: 128 bits. A stream needs no creation; it exists after the first append to
 * it.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
public record StreamId(long high, long low) implements Comparable<StreamId> {

  /** The number of parts into which a cluster's streams are divided for listing them. */
  public static final int PARTS = 256;

  /**
   * Reserved: never an application's stream. Stream replicas store entries of no stream under this
   * id (docs/design.md, section 4, R4).
   */
  public static final StreamId NONE = new StreamId(0, 0);

  /**
   * Returns the stream of a name. Its id is the name's UUID of version 3 (RFC 9562, MD5) without a
   * namespace, as {@link UUID#nameUUIDFromBytes} derives it from the name's UTF-8 bytes.
   */
  public static StreamId named(String name) {
    UUID uuid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return new StreamId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * Parses the text that {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is no UUID
   */
  public static StreamId parse(String text) {
    UUID uuid = UUID.fromString(text);
    return new StreamId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** Returns a hash that spreads ids evenly, even consecutive ones. Part of the wire protocol. */
  public long hash() {
    long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9e3779b97f4a7c15L + low;
    mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }

  /**
   * Returns the stream's part, from 0 to {@link #PARTS} - 1: the highest byte of its {@linkplain
   * #hash hash}.
   */
  public int part() {
    return (int) (hash() >>> 56);
  }

  /**
   * Compares the bits as unsigned numbers. An entry's registers have this order (docs/design.md,
   * section 4).
   */
  @Override
  public int compareTo(StreamId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Returns the id as a UUID. */
  @Override
  public String toString() {
    return new UUID(high, low).toString();
  }
}
