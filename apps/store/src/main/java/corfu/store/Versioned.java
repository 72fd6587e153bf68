package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * A value and its version.
 *
 * @param value the value, read-only
 * @param version the log address of the change that wrote the value; versions ascend and are unique
 */
public record Versioned(ByteBuffer value, long version) {

  public Versioned {
    value = value.asReadOnlyBuffer();
  }

  /** Returns the value, read-only, from position 0 to the limit. */
  @Override
  public ByteBuffer value() {
    return value.duplicate();
  }

  /** Returns a copy of the value. */
  public byte[] toBytes() {
    byte[] copy = new byte[value.remaining()];
    value.get(value.position(), copy);
    return copy;
  }

  /** Returns the value as UTF-8 text. */
  public String text() {
    return UTF_8.decode(value()).toString();
  }
}
