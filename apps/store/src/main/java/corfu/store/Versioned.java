package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * A value, and which one it is.
 *
 * @param value read-only
 * @param version the log address of the change that wrote it: it ascends with every change, and no
 *     two changes have the same
 */
public record Versioned(ByteBuffer value, long version) {

  public Versioned {
    value = value.asReadOnlyBuffer();
  }

  /** The value, read-only, from position 0 to its limit. */
  @Override
  public ByteBuffer value() {
    return value.duplicate();
  }

  /** A copy of the value. */
  public byte[] toBytes() {
    byte[] copy = new byte[value.remaining()];
    value.get(value.position(), copy);
    return copy;
  }

  /** The value as UTF-8. */
  public String text() {
    return UTF_8.decode(value()).toString();
  }
}
