package corfu.store.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import corfu.store.StoreChange;
import corfu.store.StoreOptions;
import corfu.store.Versioned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Writes the API's objects as JSON. A value is text if it is UTF-8, or else base64. {@link
 * JsonBody} reads bodies. Thread-safe.
 */
final class Json {

  /** The largest depth of nested objects. */
  static final int DEEPEST = 16;

  private static final int CHARS_CHECKED_TOGETHER = 4096;

  private final ObjectMapper mapper;

  /**
   * @param store the store's options; they bound the longest text of a body, a value in base64
   */
  Json(StoreOptions store) {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxStringLength(Math.toIntExact((store.maxValueBytes() + 2L) / 3 * 4))
            .build();
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(bounds)
            .disable(
                JsonFactory.Feature
                    .CANONICALIZE_FIELD_NAMES) // keys are names, and there are too many
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
    mapper = new ObjectMapper(factory);
  }

  JsonFactory factory() {
    return mapper.getFactory();
  }

  ObjectNode object() {
    return mapper.createObjectNode();
  }

  String text(JsonNode node) {
    try {
      return mapper.writeValueAsString(node);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("cannot write " + node, impossible);
    }
  }

  /** Returns a list of entries, which is never in memory as a whole. */
  ResponseBody entries(Map<String, Versioned> found) {
    return ResponseBody.json(
        factory(),
        to -> {
          to.writeStartObject();
          to.writeArrayFieldStart("entries");
          for (Map.Entry<String, Versioned> entry : found.entrySet()) {
            write(entry.getKey(), entry.getValue(), to);
          }
          to.writeEndArray();
          to.writeEndObject();
        });
  }

  /** Returns one entry. */
  ResponseBody entry(String key, Versioned value) {
    return ResponseBody.json(factory(), to -> write(key, value, to));
  }

  /** Returns a list of changes. */
  ResponseBody changes(List<StoreChange> changes) {
    return ResponseBody.json(
        factory(),
        to -> {
          to.writeStartObject();
          to.writeArrayFieldStart("changes");
          for (StoreChange change : changes) {
            to.writeStartObject();
            to.writeNumberField("version", change.version());
            write("written", change.written(), to);
            write("removed", change.removed(), to);
            to.writeEndObject();
          }
          to.writeEndArray();
          to.writeEndObject();
        });
  }

  private static void write(String name, List<String> keys, JsonGenerator to) throws IOException {
    to.writeArrayFieldStart(name);
    for (String key : keys) {
      to.writeString(key);
    }
    to.writeEndArray();
  }

  private static void write(String key, Versioned value, JsonGenerator to) throws IOException {
    to.writeStartObject();
    to.writeStringField("key", key);
    byte[] bytes = value.toBytes();
    if (isText(bytes)) {
      to.writeFieldName("value");
      to.writeUTF8String(bytes, 0, bytes.length);
    } else {
      to.writeBinaryField("base64", bytes);
    }
    to.writeNumberField("version", value.version());
    to.writeEndObject();
  }

  private static boolean isText(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    CharBuffer text = CharBuffer.allocate(Math.min(bytes.length + 1, CHARS_CHECKED_TOGETHER));
    while (true) {
      var result = decoder.decode(from, text.clear(), true);
      if (!result.isOverflow()) {
        return !result.isError();
      }
    }
  }
}
