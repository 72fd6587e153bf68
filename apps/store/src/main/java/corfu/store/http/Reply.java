package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Map;

/** What a request is answered with. */
record Reply(int status, String type, ByteBuffer content, Map<String, String> headers) {

  static Reply json(int status, String json) {
    return new Reply(status, "application/json", UTF_8.encode(json + "\n"), Map.of());
  }

  static Reply text(String type, String text) {
    return new Reply(200, type, UTF_8.encode(text), Map.of());
  }

  static Reply bytes(ByteBuffer bytes) {
    return new Reply(200, "application/octet-stream", bytes, Map.of());
  }

  Reply with(String header, String value) {
    return new Reply(status, type, content, Map.of(header, value));
  }
}
