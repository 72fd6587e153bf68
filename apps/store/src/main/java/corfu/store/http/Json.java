package corfu.store.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import corfu.store.Changes;
import corfu.store.Versioned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The API's objects as JSON. A value is text where it is UTF-8, and base64 where it is not. */
final class Json {

  private static final int DEEPEST = 16;

  private final ObjectMapper mapper = new ObjectMapper();

  Json(int maxBodyBytes) {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxStringLength(maxBodyBytes)
            .build();
    mapper.getFactory().setStreamReadConstraints(bounds);
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

  /** An object, with no members but these. */
  JsonNode parse(byte[] body, List<String> members) {
    JsonNode node;
    try {
      node = mapper.readTree(body);
    } catch (JsonProcessingException wrong) {
      throw Refusal.badRequest("the body is no JSON: " + wrong.getOriginalMessage());
    } catch (IOException broken) {
      throw Refusal.badRequest("the body is no JSON: " + broken.getMessage());
    }
    if (!node.isObject()) {
      throw Refusal.badRequest("the body is to be a JSON object with " + members);
    }
    for (String name : (Iterable<String>) node::fieldNames) {
      if (!members.contains(name)) {
        throw Refusal.badRequest("\"" + name + "\" is none of " + members);
      }
    }
    return node;
  }

  static Changes changes(JsonNode from) {
    Changes changes = new Changes();
    for (Map.Entry<String, JsonNode> put : from.path("put").properties()) {
      changes.put(put.getKey(), value(put.getKey(), put.getValue()));
    }
    strings(from, "remove").forEach(changes::remove);
    for (Map.Entry<String, JsonNode> expected : from.path("expect").properties()) {
      JsonNode version = expected.getValue();
      if (version.isNull()) {
        changes.expectAbsent(expected.getKey());
      } else if (version.canConvertToExactIntegral() && version.asLong() >= 0) {
        changes.expect(expected.getKey(), version.asLong());
      } else {
        throw Refusal.badRequest(
            "what is expected of a key is a version, or null, but not " + version);
      }
    }
    return changes;
  }

  private static byte[] value(String key, JsonNode value) {
    if (value.isTextual()) {
      return value.asText().getBytes(StandardCharsets.UTF_8);
    }
    if (value.path("base64").isTextual()) {
      try {
        return Base64.getDecoder().decode(value.path("base64").asText());
      } catch (IllegalArgumentException wrong) {
        throw Refusal.badRequest("the value of \"" + key + "\" is not base64");
      }
    }
    throw Refusal.badRequest(
        "the value of \"" + key + "\" is to be a string, or {\"base64\": \"...\"}");
  }

  static List<String> strings(JsonNode from, String member) {
    List<String> strings = new ArrayList<>();
    JsonNode array = from.path(member);
    if (!array.isMissingNode() && !array.isArray()) {
      throw Refusal.badRequest("\"" + member + "\" is to be a list of strings");
    }
    for (JsonNode one : array) {
      if (!one.isTextual()) {
        throw Refusal.badRequest("\"" + member + "\" is to be a list of strings");
      }
      strings.add(one.asText());
    }
    return strings;
  }

  ObjectNode entry(String key, Versioned value) {
    ObjectNode node = object().put("key", key);
    ByteBuffer bytes = value.value();
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
      node.put("value", text.toString());
    } catch (CharacterCodingException noText) {
      node.put("base64", Base64.getEncoder().encodeToString(value.toBytes()));
    }
    return node.put("version", value.version());
  }
}
