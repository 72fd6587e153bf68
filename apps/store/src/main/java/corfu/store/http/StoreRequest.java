package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import corfu.protocol.Permission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A request to the API. */
final class StoreRequest {

  /** The JDK's replacement of bytes that are not a character. */
  private static final char REPLACED = '\ufffd';

  private final HttpExchange exchange;
  private final MemoryBudget.Share memory;
  private final Transfer transfer;
  private final StoreGate.Sender sender;
  private final Map<String, String> parameters;

  StoreRequest(
      HttpExchange exchange,
      MemoryBudget.Share memory,
      Transfer transfer,
      StoreGate.Sender sender) {
    this.exchange = exchange;
    this.sender = sender;
    this.memory = memory;
    this.transfer = transfer;
    this.parameters =
        parametersOf(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
  }

  /** Returns the method. HEAD counts as GET; its response has no body. */
  String method() {
    return isHead(exchange) ? "GET" : exchange.getRequestMethod();
  }

  static boolean isHead(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("HEAD");
  }

  /**
   * Checks that the sender has a permission.
   *
   * @throws HttpErrorException if it has not, or if that is not known
   */
  void require(Permission permission) {
    sender.require(permission);
  }

  /** Returns whether the sender's permissions are checked. */
  boolean isGated() {
    return sender.isGated();
  }

  /** Returns the path without decoding, so that an encoded slash does not separate. */
  String path() {
    return exchange.getRequestURI().getRawPath();
  }

  private static Map<String, String> parametersOf(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw HttpErrorException.badRequest("\"" + pair + "\" is not a parameter: name=value");
      }
      parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
    }
    return parameters;
  }

  /** Decodes percent-encoding only; a plus stays a plus. */
  static String decoded(String text) {
    try {
      String decoded = URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
      if (decoded.indexOf(REPLACED) >= 0 && !text.toUpperCase(Locale.ROOT).contains("%EF%BF%BD")) {
        throw HttpErrorException.badRequest("\"" + text + "\" is not UTF-8");
      }
      return decoded;
    } catch (IllegalArgumentException wrong) {
      throw HttpErrorException.badRequest("\"" + text + "\" has a wrong percent-encoding");
    }
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  OptionalLong number(String name) {
    Optional<String> text = parameter(name);
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(name, text.get()));
  }

  /** Parses a number, 0 or more. */
  static long number(String name, String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException wrong) {
      // refused below
    }
    throw HttpErrorException.badRequest(name + " is a number, 0 or more, but not \"" + text + "\"");
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  /** Returns the request's share of the memory, which it holds until its response. */
  MemoryBudget.Share memory() {
    return memory;
  }

  /** Converts a body to a value. */
  @FunctionalInterface
  interface BodyReader<T> {
    T read(InputStream body) throws IOException;
  }

  /**
   * Reads the body.
   *
   * @param maxBytes the largest size of the body in bytes
   * @throws HttpErrorException before anything is read, if the announced length is too large
   * @throws UncheckedIOException if the client disconnects or is too slow
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
