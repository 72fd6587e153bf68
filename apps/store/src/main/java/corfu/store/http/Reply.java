package corfu.store.http;

import java.nio.ByteBuffer;
import java.util.Map;

/** What a request is answered with. */
record Reply(int status, String type, Content content, Map<String, String> headers) {

  private static final String JSON = "application/json";

  static Reply json(int status, String json) {
    return new Reply(status, JSON, Content.of(json + "\n"), Map.of());
  }

  static Reply json(Content json) {
    return new Reply(200, JSON, json, Map.of());
  }

  static Reply text(String type, String text) {
    return new Reply(200, type, Content.of(text), Map.of());
  }

  static Reply bytes(ByteBuffer bytes) {
    return new Reply(200, "application/octet-stream", Content.of(bytes), Map.of());
  }

  Reply with(String header, String value) {
    return new Reply(status, type, content, Map.of(header, value));
  }
}
