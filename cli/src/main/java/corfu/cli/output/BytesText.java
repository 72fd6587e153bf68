package corfu.cli.output;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Bytes for people: the text that they are, or their number and their first ones in hex. */
public final class BytesText {

  private static final int PREVIEW_BYTES = 32;
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

  private BytesText() {}

  /** Returns the text, or the preview if the bytes are not text. */
  public static String of(ByteBuffer bytes) {
    return text(bytes).orElseGet(() -> preview(bytes));
  }

  /**
   * Returns the text, or empty if the bytes are not UTF-8 or hold control characters. A terminal
   * obeys control characters, apart from tabs and ends of lines.
   */
  public static Optional<String> text(ByteBuffer bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    boolean isSafe =
        text.chars()
            .allMatch(
                letter ->
                    letter == '\t'
                        || letter == '\n'
                        || letter == '\r'
                        || !Character.isISOControl(letter));
    return isSafe ? Optional.of(text) : Optional.empty();
  }

  /** Returns the number of bytes, and the first 32 of them in hex. */
  public static String preview(ByteBuffer bytes) {
    int size = bytes.remaining();
    byte[] first = new byte[Math.min(size, PREVIEW_BYTES)];
    bytes.get(bytes.position(), first);
    return "(%,d %s: %s%s)"
        .formatted(
            size,
            size == 1 ? "byte" : "bytes",
            HEX.formatHex(first),
            size > PREVIEW_BYTES ? " ..." : "");
  }
}
