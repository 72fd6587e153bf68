package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What the bytes of a value are, without them: their writer's digest, the first half of their
 * SHA-256. So equal ones are found wherever they have moved to.
 *
 * @param high the first eight bytes of the digest, little-endian
 * @param low the next eight
 * @param length how many bytes the value has
 */
public record ContentDigest(long high, long low, int length) {

  /** Of a value's bytes. */
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
