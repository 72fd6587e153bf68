package corfu.pki;

import java.util.regex.Pattern;

/**
 * A name by the SPIFFE standard, for example {@code spiffe://prod/server/n1}. Certificates hold it
 * as a URI, and tokens as their subject.
 *
 * @param trustDomain the name of the authority that vouches for the id, for example {@code prod}: 1
 *     to 255 lower-case letters, digits, dots, hyphens and underscores
 * @param path the name below it, for example {@code /server/n1}; empty for the authority itself
 */
public record SpiffeId(String trustDomain, String path) {

  /** The largest number of bytes of an id. */
  public static final int MAX_BYTES = 2_048;

  private static final String SCHEME = "spiffe://";
  private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1,255}");
  private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)*");

  public SpiffeId {
    if (!TRUST_DOMAIN.matcher(trustDomain).matches()) {
      throw new IllegalArgumentException(
          "a trust domain has 1 to 255 lower-case letters, digits, dots, hyphens and underscores,"
              + " but this is '"
              + shortened(trustDomain)
              + "'");
    }
    if (SCHEME.length() + trustDomain.length() + path.length() > MAX_BYTES
        || !PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "the path of an id has parts such as /client/app, of letters, digits, dots, hyphens and"
              + " underscores, and the id at most "
              + MAX_BYTES
              + " bytes; this path is '"
              + shortened(path)
              + "'");
    }
  }

  /**
   * Returns the id that the text spells.
   *
   * @throws IllegalArgumentException if the text is no SPIFFE id
   */
  public static SpiffeId parse(String text) {
    if (!text.startsWith(SCHEME)) {
      throw new IllegalArgumentException(
          "an id is written as spiffe://DOMAIN/PATH, but this is '" + shortened(text) + "'");
    }
    int end = text.indexOf('/', SCHEME.length());
    return end < 0
        ? new SpiffeId(text.substring(SCHEME.length()), "")
        : new SpiffeId(text.substring(SCHEME.length(), end), text.substring(end));
  }

  /** Returns the text for a message, without control characters and not too long. */
  private static String shortened(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() > 80 ? printable.substring(0, 80) + "..." : printable;
  }

  @Override
  public String toString() {
    return SCHEME + trustDomain + path;
  }
}
