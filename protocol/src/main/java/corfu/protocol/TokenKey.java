package corfu.protocol;

import java.security.MessageDigest;

/**
 * The secret by which the servers of a cluster seal tokens, and check seals. It is never written
 * anywhere, and no text shows it. Immutable.
 */
public final class TokenKey {

  /** The size of the secret in bytes. */
  public static final int BYTES = 32;

  private final long id;
  private final byte[] secret;

  /**
   * @param id a random number by which seals name the key
   * @param secret {@link #BYTES} bytes that nobody can guess
   */
  public TokenKey(long id, byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException(
          "a key of %d bytes, where %d are needed".formatted(secret.length, BYTES));
    }
    this.id = id;
    this.secret = secret.clone();
  }

  /** Returns the number by which seals name the key. */
  public long id() {
    return id;
  }

  /** Returns a copy of the secret. */
  public byte[] secret() {
    return secret.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenKey key
        && key.id == id
        && MessageDigest.isEqual(key.secret, secret);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  /** Returns the number of the key, without the secret. */
  @Override
  public String toString() {
    return "token key " + Long.toHexString(id);
  }
}
