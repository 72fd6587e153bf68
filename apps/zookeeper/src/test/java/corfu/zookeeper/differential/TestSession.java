package corfu.zookeeper.differential;

import corfu.zookeeper.wire.Connection;
import corfu.zookeeper.wire.Packet;
import corfu.zookeeper.wire.RawBytes;
import java.io.IOException;
import java.net.SocketException;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ConnectResponse;
import org.jspecify.annotations.Nullable;

/** A session of a program, with or without a connection. Not thread-safe. */
final class TestSession implements AutoCloseable {

  /** No session expires while a program runs, except in its own steps. */
  static final int TIMEOUT_MILLIS = 100_000;

  private static final int PING_XID = -2;
  private static final int AUTH_XID = -4;
  private static final int SET_WATCHES_XID = -8;

  private final int port;
  private final String name;
  private long id;
  private byte[] password = new byte[16];
  private long lastZxid;
  private int nextXid = 1;
  private boolean ended;
  private @Nullable Connection connection;

  /** Makes a session that does not exist yet. */
  TestSession(int port, String name) {
    this.port = port;
    this.name = name;
  }

  String name() {
    return name;
  }

  long id() {
    return id;
  }

  long lastZxid() {
    return lastZxid;
  }

  boolean isConnected() {
    return connection != null;
  }

  /** Returns whether the session was closed or has expired. */
  boolean isEnded() {
    return ended;
  }

  /** Notes that the session was closed or has expired, and drops the connection. */
  void end() {
    ended = true;
    close();
  }

  /**
   * Opens a connection that replaces the last one, and creates or continues the session.
   *
   * @return the text of the response
   */
  String connect(int timeoutMillis) throws IOException {
    var fresh = new Connection(port);
    Optional<ConnectResponse> response =
        fresh.connect(new ConnectRequest(0, lastZxid, timeoutMillis, id, password, false));
    close();
    if (response.isEmpty() || response.get().getSessionId() == 0) {
      String text = response.isEmpty() ? "" : refusal(response.get());
      text += "then " + fresh.receiveAll().length + " bytes and the end";
      fresh.close();
      return text;
    }
    String text = id == 0 ? "created" : id == response.get().getSessionId() ? "continued" : "new";
    id = response.get().getSessionId();
    password = response.get().getPasswd();
    connection = fresh;
    return "%s timeout=%d password of %d bytes%s"
        .formatted(
            text,
            response.get().getTimeOut(),
            password.length,
            response.get().getReadOnly() ? " read-only" : "");
  }

  /** Tries to connect with a request that the server should refuse, and returns its answer. */
  String connectInVain(long triedId, long seenZxid, byte[] triedPassword) throws IOException {
    try (var fresh = new Connection(port)) {
      Optional<ConnectResponse> response =
          fresh.connect(
              new ConnectRequest(0, seenZxid, TIMEOUT_MILLIS, triedId, triedPassword, false));
      if (response.isPresent() && response.get().getSessionId() != 0) {
        return "continued in spite of that";
      }
      String text = response.map(TestSession::refusal).orElse("");
      return text + "then " + fresh.receiveAll().length + " bytes and the end";
    }
  }

  private static String refusal(ConnectResponse response) {
    return "refused timeout=%d password of %d bytes "
        .formatted(response.getTimeOut(), response.getPasswd().length);
  }

  byte[] password() {
    return password;
  }

  /** Adds a request to the connection's buffer, and returns its xid. */
  int send(int operation, Record body) throws IOException {
    int xid =
        switch (operation) {
          case OpCode.ping -> PING_XID;
          case OpCode.auth -> AUTH_XID;
          case OpCode.setWatches, OpCode.setWatches2 -> SET_WATCHES_XID;
          default -> nextXid++;
        };
    connected().send(xid, operation, body);
    return xid;
  }

  /** Sends the buffer. If the server has closed the connection, the next receive says so. */
  void flush() throws IOException {
    try {
      connected().flush();
    } catch (SocketException closed) {
      // The replies that came before are still to be received.
    }
  }

  /** Returns the next packet, or nothing if the server has closed the connection. */
  Optional<Packet> receive() throws IOException {
    Optional<Packet> packet = connected().receive();
    if (packet.isEmpty()) {
      close();
    } else {
      lastZxid = Math.max(lastZxid, packet.get().zxid());
    }
    return packet;
  }

  /** Returns whether the server closes the connection. */
  boolean awaitEnd() throws IOException {
    boolean closed = connected().awaitEnd();
    if (closed) {
      close();
    }
    return closed;
  }

  /** Closes the session, with a new connection if it has none. */
  void closeSession() throws IOException {
    if (!ended && !isConnected()) {
      connect(TIMEOUT_MILLIS);
    }
    if (!ended && isConnected()) {
      send(OpCode.closeSession, RawBytes.NONE);
      flush();
      while (isConnected() && receive().isPresent()) {
        // Events and the reply come before the end.
      }
    }
    end();
  }

  private Connection connected() {
    Connection current = connection;
    if (current == null) {
      throw new IllegalStateException(name + " is not connected");
    }
    return current;
  }

  /** Drops the connection without a goodbye. */
  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
