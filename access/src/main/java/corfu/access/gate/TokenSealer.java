package corfu.access.gate;

import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.TokenKey;
import corfu.protocol.TokenSeal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals tokens, and checks seals, by one key. The code of a seal is the first half of the
 * HMAC-SHA256 of these bytes:
 *
 * <pre>
 *  0                      16       24       32       36
 *  +----------------------+--------+--------+--------+---------- - -
 *  | corfu-token-seal     | epoch  | first  | count  | identity
 *  +----------------------+--------+--------+--------+---------- - -
 *    ASCII                  u64      u64      u32      UTF-8
 * </pre>
 *
 * <p>Not thread-safe: lives on the server's loop.
 */
public final class TokenSealer {

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] TAG = "corfu-token-seal".getBytes(StandardCharsets.US_ASCII);
  private static final int NUMBERS_AT = TAG.length;
  private static final int FIXED_BYTES = NUMBERS_AT + 2 * Long.BYTES + Integer.BYTES;

  private final TokenKey key;
  private final Mac mac;
  private final ByteBuffer fixed =
      ByteBuffer.allocate(FIXED_BYTES).order(ByteOrder.LITTLE_ENDIAN).put(TAG);

  /**
   * @param key the key
   */
  public TokenSealer(TokenKey key) {
    this.key = key;
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.secret(), ALGORITHM));
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("this Java runtime has no " + ALGORITHM, absent);
    }
  }

  /**
   * Draws a key.
   *
   * @param secrets returns random numbers that nobody can guess
   */
  static TokenSealer draw(LongSupplier secrets) {
    ByteBuffer secret = ByteBuffer.allocate(TokenKey.BYTES);
    while (secret.hasRemaining()) {
      secret.putLong(secrets.getAsLong());
    }
    return new TokenSealer(new TokenKey(secrets.getAsLong(), secret.array()));
  }

  TokenKey key() {
    return key;
  }

  /**
   * Seals a run of tokens.
   *
   * @param epoch the epoch in which the tokens were issued
   * @param first the first address
   * @param count the number of addresses, 1 or more
   * @param holder the client that got them
   */
  public TokenSeal seal(Epoch epoch, long first, int count, Identity holder) {
    ByteBuffer code = code(epoch, first, count, holder);
    return new TokenSeal(key.id(), first, count, code.getLong(0), code.getLong(Long.BYTES));
  }

  /** Returns whether this key has sealed these tokens in this epoch for this client. */
  boolean isGenuine(TokenSeal seal, Epoch epoch, Identity holder) {
    byte[] claimed =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(seal.codeHigh())
            .putLong(seal.codeLow())
            .array();
    ByteBuffer code = code(epoch, seal.first(), seal.count(), holder);
    byte[] expected = new byte[claimed.length];
    code.get(0, expected);
    return seal.keyId() == key.id() && MessageDigest.isEqual(expected, claimed);
  }

  private ByteBuffer code(Epoch epoch, long first, int count, Identity holder) {
    fixed.position(NUMBERS_AT);
    fixed.putLong(epoch.value()).putLong(first).putInt(count);
    mac.update(fixed.array());
    mac.update(holder.name().getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(mac.doFinal()).order(ByteOrder.LITTLE_ENDIAN);
  }
}
