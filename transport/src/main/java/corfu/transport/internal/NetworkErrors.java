package corfu.transport.internal;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes errors of the operating system and of Netty in words. */
public final class NetworkErrors {

  /** Netty's native transport names an error of Linux by its negated number. */
  private static final Pattern NUMBERED = Pattern.compile("error\\(-(\\d+)\\)");

  private static final Map<Integer, String> WORDS =
      Map.of(
          13, "permission denied",
          32, "the connection was closed",
          98, "the address is in use",
          99, "this machine does not have that address",
          101, "the network is unreachable",
          104, "the connection was reset",
          110, "the connection timed out",
          111, "connection refused",
          113, "no route to the host");

  /** The beginnings of the same errors' messages from Java's own sockets. */
  private static final Map<String, Integer> JAVA =
      Map.of(
          "Permission denied", 13,
          "Broken pipe", 32,
          "Address already in use", 98,
          "Cannot assign requested address", 99,
          "Network is unreachable", 101,
          "Connection reset", 104,
          "Connection timed out", 110,
          "connection timed out", 110,
          "Connection refused", 111,
          "No route to host", 113);

  private NetworkErrors() {}

  /**
   * Returns the reason of a connection's failure, or the failure's own message if the error is
   * unknown.
   */
  public static String describe(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return numberOf(message).map(WORDS::get).orElse(message);
  }

  private static Optional<Integer> numberOf(String message) {
    Matcher numbered = NUMBERED.matcher(message);
    if (numbered.find()) {
      return Optional.of(Integer.parseInt(numbered.group(1)));
    }
    return JAVA.entrySet().stream()
        .filter(known -> message.startsWith(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
