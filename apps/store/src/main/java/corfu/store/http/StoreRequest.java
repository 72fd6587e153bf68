package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A request as the API looks at it. */
final class StoreRequest {

  /** What the JDK makes of bytes that are no character. */
  private static final char REPLACED = '\ufffd';

  private final HttpExchange exchange;
  private final MemoryBudget.Share memory;
  private final Transfer transfer;
  private final Map<String, String> parameters;

  StoreRequest(HttpExchange exchange, MemoryBudget.Share memory, Transfer transfer) {
    this.exchange = exchange;
    this.memory = memory;
    this.transfer = transfer;
    this.parameters =
        parametersOf(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
  }

  /** A HEAD is a GET whose answer has no body. */
  String method() {
    return isHead(exchange) ? "GET" : exchange.getRequestMethod();
  }

  static boolean isHead(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("HEAD");
  }

  /** Not decoded: an encoded slash does not separate. */
  String path() {
    return exchange.getRequestURI().getRawPath();
  }

  private static Map<String, String> parametersOf(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw HttpErrorException.badRequest("\"" + pair + "\" is no parameter: name=value");
      }
      parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
    }
    return parameters;
  }

  /** Percent-encoding alone: a plus is a plus. */
  static String decoded(String text) {
    try {
      String decoded = URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
      if (decoded.indexOf(REPLACED) >= 0 && !text.toUpperCase(Locale.ROOT).contains("%EF%BF%BD")) {
        throw HttpErrorException.badRequest("\"" + text + "\" is not UTF-8");
      }
      return decoded;
    } catch (IllegalArgumentException wrong) {
      throw HttpErrorException.badRequest(
          "\"" + text + "\" is not percent-encoded as it should be");
    }
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  OptionalLong number(String name) {
    Optional<String> text = parameter(name);
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(name, text.get()));
  }

  /** A number that is not negative. */
  static long number(String name, String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException wrong) {
      // told below
    }
    throw HttpErrorException.badRequest(name + " is a number, 0 or more, but not \"" + text + "\"");
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  /** The memory that the request may hold until it has been answered. */
  MemoryBudget.Share memory() {
    return memory;
  }

  /** Makes of a body what is wanted of it. */
  @FunctionalInterface
  interface BodyReader<T> {
    T read(InputStream body) throws IOException;
  }

  /**
   * Reads the body.
   *
   * @param maxBytes that it may have
   * @throws HttpErrorException before anything is read if it is announced to be too long
   * @throws UncheckedIOException if the client goes away, or is too slow
   */
  <T> T body(int maxBytes, BodyReader<T> reader) {
    RequestBody body = new RequestBody(exchange.getRequestBody(), memory, transfer, maxBytes);
    header("Content-Length").ifPresent(text -> body.announce(number("Content-Length", text)));
    transfer.start();
    try {
      T read = reader.read(body);
      transfer.end();
      return read;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } finally {
      var unused = transfer.finish();
    }
  }
}
