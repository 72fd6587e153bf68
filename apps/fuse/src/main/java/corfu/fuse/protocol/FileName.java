package corfu.fuse.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A name of a file or of an extended attribute: any bytes but zero. Linux does not demand that they
 * are text. Immutable.
 */
public final class FileName implements Comparable<FileName> {

  private final byte[] bytes;
  private final int hash;

  private FileName(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /** Returns the name with these bytes, of which it keeps a copy. */
  public static FileName of(byte[] bytes) {
    return new FileName(bytes.clone());
  }

  /** Returns the name whose UTF-8 bytes are those of {@code text}. */
  public static FileName of(String text) {
    return new FileName(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a name that owns {@code bytes}; nobody changes them afterwards. */
  static FileName owning(byte[] bytes) {
    return new FileName(bytes);
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** Returns the bytes without a copy, for readers of this package. */
  byte[] shared() {
    return bytes;
  }

  @Override
  public int compareTo(FileName other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileName name && Arrays.equals(bytes, name.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Returns the name as UTF-8 text. Bytes that are no text become replacement characters. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
