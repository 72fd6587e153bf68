package corfu.store.http;

import java.nio.ByteBuffer;
import java.util.Map;

/** The response to a request. */
record StoreResponse(int status, String type, ResponseBody content, Map<String, String> headers) {

  private static final String JSON = "application/json";

  static StoreResponse json(int status, String json) {
    return new StoreResponse(status, JSON, ResponseBody.of(json + "\n"), Map.of());
  }

  static StoreResponse json(ResponseBody json) {
    return new StoreResponse(200, JSON, json, Map.of());
  }

  static StoreResponse text(String type, String text) {
    return new StoreResponse(200, type, ResponseBody.of(text), Map.of());
  }

  static StoreResponse bytes(ByteBuffer bytes) {
    return new StoreResponse(200, "application/octet-stream", ResponseBody.of(bytes), Map.of());
  }

  StoreResponse with(String header, String value) {
    return with(Map.of(header, value));
  }

  StoreResponse with(Map<String, String> fields) {
    return new StoreResponse(status, type, content, fields);
  }
}
