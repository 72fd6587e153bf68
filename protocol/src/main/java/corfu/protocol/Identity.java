package corfu.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The proven name of a client or server: the SPIFFE id, other name or subject of its certificate,
 * or the name in a token. Permissions, quotas and the audit log refer to it.
 *
 * @param name the name, for example {@code spiffe://prod/orders}; 1 to {@link #MAX_BYTES} bytes of
 *     UTF-8 without control characters
 */
public record Identity(String name) implements Comparable<Identity> {

  /** The largest number of bytes of a name: that of a SPIFFE id. */
  public static final int MAX_BYTES = 2_048;

  /** A client that has not proven any name. */
  public static final Identity ANONYMOUS = new Identity("anonymous");

  public Identity {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_BYTES || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the name of an identity has 1 to "
              + MAX_BYTES
              + " bytes and no control characters, but this one has "
              + bytes
              + " bytes");
    }
  }

  @Override
  public int compareTo(Identity other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
