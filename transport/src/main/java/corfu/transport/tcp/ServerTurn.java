package corfu.transport.tcp;

import corfu.transport.RequestHandler;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The end of each turn of a server's loop, after all ready connections have been read. The handler
 * learns that no more requests are at hand, and every connection with replies is flushed once.
 * Lives on the loop.
 */
final class ServerTurn {

  private final EventLoop loop;
  private final RequestHandler handler;
  private final RareLog log;

  /** The memory used by the requests of all connections. */
  private final HeldMemory held;

  private final UnreadReplies unread;

  private final ArrayDeque<ServerConnection> written = new ArrayDeque<>();
  private final Set<ServerConnection> resuming = new LinkedHashSet<>();
  private boolean requestsTaken;
  private boolean endScheduled;

  ServerTurn(
      EventLoop loop, RequestHandler handler, HeldMemory held, UnreadReplies unread, RareLog log) {
    this.held = held;
    this.unread = unread;
    this.loop = loop;
    this.handler = handler;
    this.log = log;
  }

  RequestHandler handler() {
    return handler;
  }

  HeldMemory held() {
    return held;
  }

  UnreadReplies unread() {
    return unread;
  }

  /** Called when the handler has got a request. */
  void requestTaken() {
    requestsTaken = true;
    scheduleEnd();
  }

  /** Called when the connection has replies to flush; once before each flush. */
  void replyWritten(ServerConnection connection) {
    written.add(connection);
    scheduleEnd();
  }

  /** Called when an unread connection may be below its bounds again. */
  void mayResume(ServerConnection connection) {
    resuming.add(connection);
    scheduleEnd();
  }

  /**
   * Schedules the end of the turn: a task that a loop submits to itself runs after the ready
   * connections have been read.
   */
  private void scheduleEnd() {
    if (!endScheduled) {
      endScheduled = true;
      loop.execute(this::end);
    }
  }

  private void end() {
    endScheduled = false;
    if (requestsTaken) {
      requestsTaken = false;
      try {
        handler.turnEnded();
      } catch (RuntimeException | Error e) {
        log.warn("a server's handler failed at the end of a turn", e);
      }
    }
    for (ServerConnection c = written.poll(); c != null; c = written.poll()) {
      c.flush();
    }
    if (!resuming.isEmpty()) {
      var now = resuming.toArray(ServerConnection[]::new);
      resuming.clear();
      for (ServerConnection connection : now) {
        connection.resume();
      }
    }
  }
}
