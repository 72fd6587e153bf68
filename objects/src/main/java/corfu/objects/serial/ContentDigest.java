package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The identity of a value's bytes: the first half of their SHA-256, as their writer computed it. So
 * a reader finds equal bytes wherever they have moved to.
 *
 * @param high the first eight bytes of the digest, little-endian
 * @param low the next eight
 * @param length how many bytes the value has
 */
public record ContentDigest(long high, long low, int length) {

  /** Returns the digest of a value's bytes. */
  public static ContentDigest of(ByteBuffer bytes) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    digest.update(bytes.duplicate());
    ByteBuffer made = ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN);
    return new ContentDigest(made.getLong(), made.getLong(), bytes.remaining());
  }

  public void write(ValueOutput out) {
    out.writeLong(high);
    out.writeLong(low);
    out.writeVarLong(length);
  }
}
