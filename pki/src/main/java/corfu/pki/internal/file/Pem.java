package corfu.pki.internal.file;

import corfu.pki.PkiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The PEM format (RFC 7468): blocks between lines of BEGIN and END. Text outside of blocks is
 * ignored, as other programs do.
 */
public final class Pem {

  public static final String CERTIFICATE = "CERTIFICATE";
  public static final String PRIVATE_KEY = "PRIVATE KEY";
  public static final String PUBLIC_KEY = "PUBLIC KEY";
  public static final String REVOCATION_LIST = "X509 CRL";
  public static final String SIGNING_REQUEST = "CERTIFICATE REQUEST";

  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----");
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");
  private static final int LINE = 64;

  private Pem() {}

  /** A block: its label, and its content, which its readers do not change. */
  @SuppressWarnings("ArrayRecordComponent") // blocks are never compared
  public record Block(String label, byte[] content) {}

  /** Returns the text of a block. */
  public static String encode(String label, byte[] content) {
    Base64.Encoder lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(label, lines.encodeToString(content), label)
        .replace("\r", "");
  }

  /**
   * Returns the blocks of a text, in their order.
   *
   * @param source the name of the text, for messages
   * @throws PkiException if a block is damaged or cut
   */
  public static List<Block> decode(String text, String source) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = text.lines().map(String::strip).toList();
    int at = 0;
    while (at < lines.size()) {
      Matcher begin = BEGIN.matcher(lines.get(at));
      at++;
      if (begin.matches()) {
        String end = "-----END " + begin.group(1) + "-----";
        StringBuilder content = new StringBuilder();
        while (at < lines.size() && !lines.get(at).startsWith("-----")) {
          content.append(lines.get(at));
          at++;
        }
        if (at == lines.size() || !lines.get(at).equals(end)) {
          throw new PkiException(
              "%s is cut: its block %s does not end with '%s'; write the whole file again"
                  .formatted(source, begin.group(1), end));
        }
        blocks.add(new Block(begin.group(1), bytes(content, begin.group(1), source)));
      }
    }
    return blocks;
  }

  private static byte[] bytes(CharSequence base64, String label, String source) {
    try {
      if (BASE64.matcher(base64).matches()) {
        return Base64.getDecoder().decode(base64.toString().getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IllegalArgumentException wrongLength) {
      // The exception's message may have a part of a key.
    }
    throw new PkiException(
        "%s is damaged: its block %s is not in base 64; write the whole file again"
            .formatted(source, label));
  }
}
