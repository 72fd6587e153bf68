package corfu.access;

import corfu.protocol.Identity;

/** The identities to which a grant, a role or a quota applies. */
public sealed interface Subject {

  /** The largest size of the name of a role in characters. */
  int MOST_ROLE_CHARS = 128;

  /** Returns whether this subject has the identity; never for a {@link RoleName}. */
  boolean matches(Identity identity);

  /** Returns the text for people, which {@link #parse} reads. */
  String text();

  /**
   * One identity.
   *
   * @param identity the identity; {@link Identity#ANONYMOUS} for clients that have proven no name
   */
  record Exact(Identity identity) implements Subject {
    public Exact {
      String name = identity.name();
      if (name.endsWith("*") || name.startsWith(RoleName.PREFIX)) {
        throw new IllegalArgumentException(
            "the name of one identity neither ends in * nor begins with role:, but here it is "
                + name);
      }
    }

    @Override
    public boolean matches(Identity other) {
      return identity.equals(other);
    }

    @Override
    public String text() {
      return identity.name();
    }
  }

  /**
   * All proven identities whose names begin with a text. {@link Identity#ANONYMOUS} is never one of
   * them.
   *
   * @param prefix the beginning of the names, up to {@link Identity#MAX_BYTES} characters; empty
   *     for all proven identities
   */
  record Prefix(String prefix) implements Subject {
    public Prefix {
      checkName(prefix, Identity.MAX_BYTES, 0);
    }

    @Override
    public boolean matches(Identity identity) {
      return !identity.equals(Identity.ANONYMOUS) && identity.name().startsWith(prefix);
    }

    @Override
    public String text() {
      return prefix + "*";
    }
  }

  /**
   * The members of a role.
   *
   * @param name the role's name, 1 to {@link #MOST_ROLE_CHARS} characters
   */
  record RoleName(String name) implements Subject {

    static final String PREFIX = "role:";

    public RoleName {
      checkName(name, MOST_ROLE_CHARS, 1);
    }

    @Override
    public boolean matches(Identity identity) {
      return false;
    }

    @Override
    public String text() {
      return PREFIX + name;
    }
  }

  /**
   * Reads {@code spiffe://prod/orders} (one identity), {@code spiffe://prod/*} (all that begin so)
   * or {@code role:NAME}.
   *
   * @throws IllegalArgumentException if the text is too long, or has control characters
   */
  static Subject parse(String text) {
    if (text.startsWith(RoleName.PREFIX)) {
      return new RoleName(text.substring(RoleName.PREFIX.length()));
    }
    return text.endsWith("*")
        ? new Prefix(text.substring(0, text.length() - 1))
        : new Exact(new Identity(text));
  }

  private static void checkName(String name, int most, int least) {
    if (name.length() < least
        || name.length() > most
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a name of %d to %d characters without control characters is wanted, but it has %d"
              .formatted(least, most, name.length()));
    }
  }
}
