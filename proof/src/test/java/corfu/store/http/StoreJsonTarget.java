package corfu.store.http;

import com.fasterxml.jackson.databind.JsonNode;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import java.util.Arrays;
import java.util.List;

/**
 * The bodies and names of requests to the store's HTTP server. The first byte says which request it
 * is.
 */
public final class StoreJsonTarget implements FuzzTarget {

  private static final int MAX_BODY = 1 << 20;

  private final Json json = new Json(MAX_BODY);

  @Override
  public String name() {
    return "store-json";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        Bytes.behind(
            0,
            Bytes.of(
                "{\"put\":{\"a\":\"1\",\"b\":{\"base64\":\"AAE=\"}},\"remove\":[\"c\"],"
                    + "\"expect\":{\"a\":5,\"d\":null}}")),
        Bytes.behind(1, Bytes.of("{\"keys\":[\"a\",\"b\"],\"at\":7}")),
        Bytes.behind(2, Bytes.of("a%20key%2Fof+%C3%A9")),
        Bytes.behind(3, Bytes.of("123")));
  }

  @Override
  public void run(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] body = Arrays.copyOfRange(input, 1, input.length);
    String text = new String(body, java.nio.charset.StandardCharsets.UTF_8);
    try {
      switch (input[0] & 3) {
        case 0 -> {
          var unused = Json.changes(json.parse(body, List.of("put", "remove", "expect")));
        }
        case 1 -> {
          JsonNode wish = json.parse(body, List.of("keys", "at"));
          var unused = Json.strings(wish, "keys");
          Bytes.same(wish, json.parse(Bytes.of(json.text(wish)), List.of("keys", "at")), "again");
        }
        case 2 -> {
          var unused = Call.decoded(text);
        }
        default -> {
          var unused = Call.number("at", text);
        }
      }
    } catch (Refusal refused) {
      if (refused.status() < 400 || refused.status() >= 500) {
        throw new AssertionError("the client's mistake was answered by " + refused.status());
      }
    }
  }

  @Override
  public long allowedBytesForEach() {
    return 1_024;
  }
}
