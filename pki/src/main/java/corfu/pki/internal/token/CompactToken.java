package corfu.pki.internal.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes of a JSON Web Token in its compact form (RFC 7519): header, claims and signature, each
 * in base 64 for URLs, with dots between them. Reads strictly: one spelling of base 64, no member
 * twice, nothing behind the object.
 */
public final class CompactToken {

  /** The bytes of a signature by ES256: two numbers of 32 bytes. */
  public static final int SIGNATURE_BYTES = 64;

  private static final int PARTS = 3;
  private static final int MAX_DEPTH = 4;
  private static final int MAX_NUMBER_DIGITS = 19;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_DIGITS)
                  .build())
          .build();

  private CompactToken() {}

  /** Writes the members of a JSON object. */
  @FunctionalInterface
  public interface MemberWriter {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /**
   * The members of a JSON object.
   *
   * @param names the names of all members
   * @param texts the values that are strings
   * @param numbers the values that are whole numbers
   */
  public record Members(Set<String> names, Map<String, String> texts, Map<String, Long> numbers) {

    /** Returns the value of a member, or an empty string if it is no string. */
    public String text(String name) {
      return texts.getOrDefault(name, "");
    }
  }

  /**
   * A token's parts.
   *
   * @param signed the bytes that the signature covers
   * @param header the bytes of the header
   * @param claims the bytes of the claims
   * @param signature the bytes of the signature, {@link #SIGNATURE_BYTES}
   */
  @SuppressWarnings("ArrayRecordComponent") // parts are never compared
  public record Parts(byte[] signed, byte[] header, byte[] claims, byte[] signature) {}

  /** Returns an object as a part of a token. */
  public static String encode(MemberWriter members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      members.writeTo(json);
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return encode(text.toString().getBytes(UTF_8));
  }

  /** Returns bytes as a part of a token. */
  public static String encode(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  /** Returns the parts of a token, or empty if it does not have three. */
  public static Optional<Parts> decode(String token) {
    List<String> texts = List.of(token.split("\\.", PARTS + 1));
    if (texts.size() != PARTS) {
      return Optional.empty();
    }
    Optional<byte[]> header = decodePart(texts.get(0));
    Optional<byte[]> claims = decodePart(texts.get(1));
    Optional<byte[]> signature =
        decodePart(texts.get(2)).filter(bytes -> bytes.length == SIGNATURE_BYTES);
    if (header.isEmpty() || claims.isEmpty() || signature.isEmpty()) {
      return Optional.empty();
    }
    byte[] signed = token.substring(0, token.lastIndexOf('.')).getBytes(UTF_8);
    return Optional.of(new Parts(signed, header.get(), claims.get(), signature.get()));
  }

  /** Java's decoder accepts several spellings of the same bytes, of which one is right. */
  private static Optional<byte[]> decodePart(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException otherCharacters) {
      return Optional.empty();
    }
  }

  /** Returns the members of an object, or empty if the bytes are anything else than one object. */
  public static Optional<Members> members(byte[] json) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      Members members = new Members(new HashSet<>(), new HashMap<>(), new HashMap<>());
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        members.names().add(name);
        switch (parser.nextToken()) {
          case VALUE_STRING -> members.texts().put(name, parser.getText());
          case VALUE_NUMBER_INT -> members.numbers().put(name, parser.getLongValue());
          case START_OBJECT, START_ARRAY -> parser.skipChildren();
          default -> {}
        }
      }
      boolean isWhole = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
      return isWhole ? Optional.of(members) : Optional.empty();
    } catch (IOException malformed) {
      return Optional.empty();
    }
  }

  /** Returns whether a number of a signature is zero, which no signature has. */
  public static boolean hasZero(byte[] signature) {
    byte[] zero = new byte[SIGNATURE_BYTES / 2];
    return Arrays.equals(Arrays.copyOfRange(signature, 0, zero.length), zero)
        || Arrays.equals(Arrays.copyOfRange(signature, zero.length, SIGNATURE_BYTES), zero);
  }
}
