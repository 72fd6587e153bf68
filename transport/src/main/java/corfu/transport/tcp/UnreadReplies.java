package corfu.transport.tcp;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The memory of replies that the clients of one loop have not read, with its bound. Lives on the
 * loop.
 *
 * <p>If half of it is occupied, a connection with unread replies is not read. Clients that read
 * nothing for a while are disconnected, those with the most memory first. If all of it is occupied,
 * no connection is read.
 */
final class UnreadReplies {

  private static final long LOOK_MILLIS = 250;

  private final EventLoop loop;
  private final LongSupplier nanoTime;
  private final long maxBytes;
  private final Duration patience;
  private final Map<ServerConnection, Holder> holders = new LinkedHashMap<>();

  /** The connections that are not read because all memory is occupied. */
  private final Set<ServerConnection> waiting = new LinkedHashSet<>();

  private long bytes;
  private boolean looking;

  private static final class Holder {
    private long bytes;
    private long unsentBytes = -1;
    private long sinceNanos;
  }

  /**
   * @param patience the time for which a client may read nothing while memory is tight
   */
  UnreadReplies(EventLoop loop, LongSupplier nanoTime, long maxBytes, Duration patience) {
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.maxBytes = maxBytes;
    this.patience = patience;
  }

  /** Updates the memory that the connection holds. */
  void holds(ServerConnection connection, long now) {
    Holder holder = now == 0 ? holders.remove(connection) : holderOf(connection);
    if (holder != null) {
      bytes += now - holder.bytes;
      holder.bytes = now;
    }
    if (isTight()) {
      lookLater();
    }
    if (bytes < maxBytes && !waiting.isEmpty()) {
      List<ServerConnection> resuming = List.copyOf(waiting);
      waiting.clear();
      resuming.forEach(ServerConnection::mayResume);
    }
  }

  private Holder holderOf(ServerConnection connection) {
    return holders.computeIfAbsent(connection, fresh -> new Holder());
  }

  /** Returns whether a connection must wait before its next request is handled. */
  boolean mustWait(ServerConnection connection) {
    if (bytes >= maxBytes) {
      waiting.add(connection);
      return true;
    }
    return isTight() && holders.containsKey(connection);
  }

  /** Forgets an ended connection. */
  void forget(ServerConnection connection) {
    waiting.remove(connection);
    holds(connection, 0);
  }

  private boolean isTight() {
    return bytes >= maxBytes / 2;
  }

  private void lookLater() {
    if (!looking) {
      looking = true;
      Sockets.after(LOOK_MILLIS, loop, this::look);
    }
  }

  /** Disconnects clients that read nothing. */
  private void look() {
    looking = false;
    long now = nanoTime.getAsLong();
    holders.forEach(
        (connection, holder) -> {
          long unsent = connection.unsentBytes();
          if (unsent != holder.unsentBytes) {
            holder.unsentBytes = unsent;
            holder.sinceNanos = now;
          }
        });
    List<ServerConnection> stalled =
        holders.entrySet().stream()
            .filter(held -> now - held.getValue().sinceNanos >= patience.toNanos())
            .sorted(Comparator.comparingLong(held -> -held.getValue().bytes))
            .map(Map.Entry::getKey)
            .toList();
    for (ServerConnection connection : stalled) {
      if (isTight()) {
        connection.sendAway(
            "its client has taken nothing for %d ms, and unread replies occupy %d of %d bytes"
                .formatted(patience.toMillis(), bytes, maxBytes));
      }
    }
    if (isTight()) {
      lookLater();
    }
  }
}
