package corfu.access.audit;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 of a record of the audit log.
 *
 * @param text the hash, {@link #BYTES} bytes in hexadecimal digits
 */
public record RecordHash(String text) {

  /** The size of a hash in bytes. */
  public static final int BYTES = 32;

  /** The predecessor of the first record of an audit log. */
  public static final RecordHash NONE = new RecordHash("0".repeat(2 * BYTES));

  public RecordHash {
    if (!text.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "a hash has 64 hexadecimal digits, but this one is '%s'".formatted(text));
    }
  }

  /** Returns the hash of a record's bytes. */
  public static RecordHash of(ByteBuffer record) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(record.duplicate());
      return of(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  static RecordHash of(byte[] hash) {
    return new RecordHash(HexFormat.of().formatHex(hash));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
