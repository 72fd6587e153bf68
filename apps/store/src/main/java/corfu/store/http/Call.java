package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A request as the API looks at it. */
final class Call {

  /** What the JDK makes of bytes that are no character. */
  private static final char REPLACED = '\ufffd';

  private final HttpExchange exchange;
  private final int maxBodyBytes;
  private final Map<String, String> parameters;

  Call(HttpExchange exchange, int maxBodyBytes) {
    this.exchange = exchange;
    this.maxBodyBytes = maxBodyBytes;
    this.parameters =
        parametersOf(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
  }

  String method() {
    return exchange.getRequestMethod();
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
        throw Refusal.badRequest("\"" + pair + "\" is no parameter: name=value");
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
        throw Refusal.badRequest("\"" + text + "\" is not UTF-8");
      }
      return decoded;
    } catch (IllegalArgumentException wrong) {
      throw Refusal.badRequest("\"" + text + "\" is not percent-encoded as it should be");
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
    throw Refusal.badRequest(name + " is a number, 0 or more, but not \"" + text + "\"");
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  byte[] body() {
    long announced =
        header("Content-Length").map(text -> number("Content-Length", text)).orElse(0L);
    if (announced > maxBodyBytes) {
      throw tooLarge();
    }
    try {
      byte[] body = exchange.getRequestBody().readNBytes(maxBodyBytes + 1);
      if (body.length > maxBodyBytes) {
        throw tooLarge();
      }
      return body;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private Refusal tooLarge() {
    return new Refusal(
        413, "too-large", "a request's body may have " + maxBodyBytes + " bytes: split it");
  }
}
