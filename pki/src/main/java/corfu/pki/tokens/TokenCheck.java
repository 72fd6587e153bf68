package corfu.pki.tokens;

/** The outcome of a token's check. */
public sealed interface TokenCheck {

  /**
   * The token proves the identity of its bearer.
   *
   * @param claims the token's content
   */
  record Valid(TokenClaims claims) implements TokenCheck {}

  /**
   * The token proves nothing.
   *
   * @param reason the reason, for logs and for the bearer; it has no part of the token
   */
  record Refused(Reason reason) implements TokenCheck {}

  /** A reason for which a token is refused. */
  enum Reason {
    /** It has more bytes than a token of ours. */
    TOO_LARGE("the token is too large"),

    /** It is not made of three parts with the expected fields. */
    MALFORMED("the token is malformed"),

    /** It names another algorithm than ES256, or demands an extension. */
    WRONG_ALGORITHM("the token is not signed by ES256"),

    /** It names a key that is not, or no longer, valid. */
    UNKNOWN_KEY("the token's key is not known here; get a new token"),

    /** Its signature is not that of the key. */
    WRONG_SIGNATURE("the token's signature is wrong"),

    /** It was issued by another authority, or for another subject than it may. */
    WRONG_ISSUER("the token was issued by another authority"),

    /** It was issued for another cluster or service. */
    WRONG_AUDIENCE("the token was issued for another cluster"),

    /** It was issued in the future, or for too long. */
    WRONG_TIME("the token's times are wrong; compare the clocks"),

    /** It has expired. */
    EXPIRED("the token has expired; get a new one");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
