package corfu.transport.tcp;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of replies that the clients of one loop have not read, against what they may occupy
 * together. From half of that on a connection with unread replies is not read either; beyond it the
 * connections that hold most are closed. Lives on the loop.
 */
final class UnreadReplies {

  private final long maxBytes;
  private final Map<ServerConnection, Long> held = new LinkedHashMap<>();
  private long bytes;

  UnreadReplies(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The connection holds so much now. */
  void holds(ServerConnection connection, long now) {
    Long before = now == 0 ? held.remove(connection) : held.put(connection, now);
    bytes += now - (before == null ? 0 : before);
  }

  /** Whether only clients that have read everything may ask for more. */
  boolean isTight() {
    return bytes >= maxBytes / 2;
  }

  /** Closes connections until the others hold no more than they may. */
  void relieve() {
    while (bytes > maxBytes && !held.isEmpty()) {
      Map.Entry<ServerConnection, Long> worst =
          held.entrySet().stream().max(Comparator.comparingLong(Map.Entry::getValue)).orElseThrow();
      ServerConnection connection = worst.getKey();
      connection.sendAway(
          "its client has not read replies of %d bytes, the most of all, and those of all clients occupy %s"
              .formatted(worst.getValue(), this));
      holds(connection, 0);
    }
  }

  @Override
  public String toString() {
    return bytes + " of " + maxBytes + " bytes";
  }
}
