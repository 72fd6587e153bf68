package corfu.store.http;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.store.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The bodies and names of requests to the store's HTTP server. The first byte selects the kind of
 * request.
 */
public final class StoreJsonTarget implements FuzzTarget {

  private static final long MEMORY_BYTES = 64L << 20;

  private final StoreOptions options = StoreOptions.DEFAULT;
  private final Json json = new Json(options);
  private final MemoryBudget memory = new MemoryBudget(MEMORY_BYTES);

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
    String text = new String(body, StandardCharsets.UTF_8);
    try (MemoryBudget.Share share = memory.open()) {
      var read =
          new JsonBody(json.factory(), new ByteArrayInputStream(body), share, options.maxKeys());
      switch (input[0] & 3) {
        case 0 -> {
          var unused = read.changes();
        }
        case 1 -> {
          var unused = read.wish();
        }
        case 2 -> {
          var unused = StoreRequest.decoded(text);
        }
        default -> {
          var unused = StoreRequest.number("at", text);
        }
      }
    } catch (HttpErrorException refused) {
      if (refused.status() < 400 || refused.status() >= 500) {
        throw new AssertionError("the client's mistake was answered by " + refused.status());
      }
    } catch (IOException broken) {
      throw new AssertionError("an in-memory body can't fail", broken);
    }
  }

  @Override
  public long allowedBytesForEach() {
    return 1_024;
  }
}
