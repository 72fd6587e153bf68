package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import corfu.store.Changes;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's body, a JSON object, while it arrives. It keeps only the members that the
 * request needs. Not thread-safe.
 */
final class JsonBody {

  /** The approximate memory of a key beside its text. */
  static final int BYTES_A_KEY = 256;

  /** Reads the member's value at which the parser stands. */
  @FunctionalInterface
  private interface Member {
    void read(JsonParser at) throws IOException;
  }

  private final JsonFactory factory;
  private final InputStream from;
  private final MemoryBudget.Share memory;
  private final int maxKeys;
  private int keys;

  /**
   * @param maxKeys the largest number of keys in the body
   */
  JsonBody(JsonFactory factory, InputStream from, MemoryBudget.Share memory, int maxKeys) {
    this.factory = factory;
    this.from = from;
    this.memory = memory;
    this.maxKeys = maxKeys;
  }

  // ------------------------------------------------------------------------------ requests

  /** Reads {@code put}, {@code remove} and {@code expect}. */
  Changes changes() throws IOException {
    Changes changes = new Changes();
    List<String> removed = new ArrayList<>();
    Map<String, Member> members = new LinkedHashMap<>();
    members.put("put", at -> object(at, "put", key -> changes.put(key, value(key, at))));
    members.put("remove", at -> strings(at, "remove", removed));
    members.put("expect", at -> object(at, "expect", key -> expect(changes, key, at)));
    read(members);
    removed.forEach(changes::remove);
    return changes;
  }

  /** The names of {@code keys}, and the text of {@code at}, or an empty text if it is missing. */
  record Wish(List<String> keys, String at) {}

  Wish wish() throws IOException {
    List<String> names = new ArrayList<>();
    StringBuilder address = new StringBuilder();
    Map<String, Member> members = new LinkedHashMap<>();
    members.put("keys", at -> strings(at, "keys", names));
    members.put("at", at -> address.append(scalar(at)));
    read(members);
    return new Wish(names, address.toString());
  }

  /** Reads the text of the only allowed member, or an empty text if it is missing. */
  String only(String name) throws IOException {
    StringBuilder text = new StringBuilder();
    read(Map.of(name, at -> text.append(scalar(at))));
    return text.toString();
  }

  // -------------------------------------------------------------------------------- values

  private void read(Map<String, Member> members) throws IOException {
    List<String> names = List.copyOf(members.keySet());
    try (JsonParser parser = parser()) {
      try {
        readObject(parser, members, names);
      } catch (StreamConstraintsException beyond) {
        if (parser.getParsingContext().getNestingDepth() >= Json.DEEPEST) {
          throw noJson(beyond);
        }
        throw new HttpErrorException(
            413, "too-large", "the body has a key or a value that is too long: " + told(beyond));
      } catch (JsonProcessingException wrong) {
        throw noJson(wrong);
      } catch (CharConversionException wrong) {
        throw noText(wrong);
      }
    }
  }

  /** Returns a parser for the encoding that the first bytes show. */
  private JsonParser parser() throws IOException {
    try {
      return factory.createParser(from);
    } catch (CharConversionException wrong) {
      throw noText(wrong);
    }
  }

  private static HttpErrorException noText(CharConversionException wrong) {
    return HttpErrorException.badRequest("the body is not text:  " + wrong.getMessage());
  }

  private static HttpErrorException noJson(JsonProcessingException wrong) {
    return HttpErrorException.badRequest("the body is not JSON:  " + told(wrong));
  }

  private static String told(JsonProcessingException wrong) {
    return String.valueOf(wrong.getOriginalMessage());
  }

  private static void readObject(JsonParser parser, Map<String, Member> members, List<String> names)
      throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw HttpErrorException.badRequest("the body must be a JSON object with  " + names);
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      Member member = members.get(name);
      if (member == null) {
        throw HttpErrorException.badRequest("\"" + name + "\" is not one of " + names);
      }
      parser.nextToken();
      member.read(parser);
    }
  }

  /** Reads the value at which the parser stands, for a key. */
  @FunctionalInterface
  private interface Keyed {
    void read(String key) throws IOException;
  }

  private void object(JsonParser at, String name, Keyed keyed) throws IOException {
    if (at.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (at.currentToken() != JsonToken.START_OBJECT) {
      throw HttpErrorException.badRequest("\"" + name + "\" must be an object");
    }
    while (at.nextToken() == JsonToken.FIELD_NAME) {
      String key = at.currentName();
      named(key);
      at.nextToken();
      keyed.read(key);
    }
  }

  private void strings(JsonParser at, String name, List<String> to) throws IOException {
    if (at.currentToken() != JsonToken.START_ARRAY) {
      throw HttpErrorException.badRequest("\"" + name + "\" must be a list of strings");
    }
    while (at.nextToken() != JsonToken.END_ARRAY) {
      if (at.currentToken() != JsonToken.VALUE_STRING) {
        throw HttpErrorException.badRequest("\"" + name + "\" must be a list of strings");
      }
      String key = at.getText();
      named(key);
      to.add(key);
    }
  }

  private void named(String key) {
    if (++keys > maxKeys) {
      throw new HttpErrorException(
          413,
          "too-large",
          "one call may name %d keys, and this one names more: split it".formatted(maxKeys));
    }
    memory.reserve(BYTES_A_KEY + 2L * key.length());
  }

  private static byte[] value(String key, JsonParser at) throws IOException {
    if (at.currentToken() == JsonToken.VALUE_STRING) {
      return at.getText().getBytes(UTF_8);
    }
    byte @Nullable [] value = null;
    if (at.currentToken() == JsonToken.START_OBJECT) {
      while (at.nextToken() == JsonToken.FIELD_NAME) {
        boolean isBase64 = at.currentName().equals("base64");
        if (at.nextToken() == JsonToken.VALUE_STRING && isBase64) {
          value = decoded(key, at.getText());
        } else {
          at.skipChildren();
        }
      }
    }
    if (value == null) {
      throw HttpErrorException.badRequest(
          "the value of \"" + key + "\" must be a string, or {\"base64\": \"...\"}");
    }
    return value;
  }

  private static byte[] decoded(String key, String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException wrong) {
      throw HttpErrorException.badRequest("the value of \"" + key + "\" is not base64");
    }
  }

  private static void expect(Changes changes, String key, JsonParser at) throws IOException {
    if (at.currentToken() == JsonToken.VALUE_NULL) {
      changes.expectAbsent(key);
      return;
    }
    String text = scalar(at);
    try {
      if (at.currentToken().isNumeric()) {
        long version = at.getDecimalValue().longValueExact();
        if (version >= 0) {
          changes.expect(key, version);
          return;
        }
      }
    } catch (ArithmeticException noLong) {
      // refused below
    }
    throw HttpErrorException.badRequest(
        "the expected version of a key is a number or null, but not  " + text);
  }

  /** Returns the text of a string or a number, or an empty text for anything else. */
  private static String scalar(JsonParser at) throws IOException {
    if (at.currentToken().isScalarValue()) {
      return at.getText();
    }
    at.skipChildren();
    return "";
  }
}
