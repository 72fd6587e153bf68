package corfu.zookeeper.simulation;

import corfu.world.World;
import corfu.zookeeper.server.TranslationServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.jute.Record;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.ClientCnxnLimitException;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.ServerStats;
import org.apache.zookeeper.server.SocketlessConnection;
import org.jspecify.annotations.Nullable;

/** A connection without sockets: replies and events reach the client at once. */
final class SimulatedConnection extends SocketlessConnection {

  private static final int LENGTH_BYTES = 4;

  private final TranslationServer server;
  private final World world;
  private final SimulatedClient client;
  private final int number;
  private long session;
  private int timeoutMillis;
  private final Set<Integer> changes = new HashSet<>();
  private boolean isOpen = true;

  /**
   * Creates a connection.
   *
   * @param number a number that no other connection of the run has
   */
  SimulatedConnection(TranslationServer server, World world, SimulatedClient client, int number) {
    super(server);
    this.server = server;
    this.world = world;
    this.client = client;
    this.number = number;
  }

  boolean isOpen() {
    return isOpen;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  World world() {
    return world;
  }

  /** Whether the request of this number, sent over this connection, has its outcome in the log. */
  boolean isChange(int xid) {
    return changes.contains(xid);
  }

  void connect(ConnectRequest request) throws IOException {
    try {
      server.processConnectRequest(this, request);
    } catch (CloseRequestException refused) {
      close(refused.getReason());
    } catch (ClientCnxnLimitException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  void request(int xid, int type, @Nullable Record body) {
    if (!isOpen) {
      return;
    }
    if (Call.isChange(type)) {
      changes.add(xid);
    }
    RequestRecord record =
        body == null ? RequestRecord.fromBytes(new byte[0]) : RequestRecord.fromRecord(body);
    try {
      server.processPacket(this, new RequestHeader(xid, type), record);
    } catch (IOException malformed) {
      throw new IllegalStateException(malformed);
    }
  }

  /** The same in each run, unlike an identity hash code: sets of watchers have this order. */
  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  protected void send(ByteBuffer bytes) {
    if (isClose(bytes)) {
      closeLater();
      return;
    }
    bytes.position(LENGTH_BYTES + Integer.BYTES); // the length and the protocol's version
    int timeout = bytes.getInt();
    long id = bytes.getLong();
    byte[] password = new byte[bytes.getInt()];
    bytes.get(password);
    if (isOpen) {
      client.connected(this, id, timeout, password);
    }
  }

  /** A socket's bytes are sent, and the socket closed, by another thread. */
  private void closeLater() {
    world.start("closing", () -> close(DisconnectReason.CLIENT_CLOSED_SESSION));
  }

  @Override
  public int sendResponse(
      ReplyHeader header,
      @Nullable Record body,
      @Nullable String tag,
      @Nullable String cacheKey,
      @Nullable Stat stat,
      int type) {
    decrOutstandingAndCheckThrottle(header);
    if (isOpen) {
      client.replied(this, header, body);
    }
    return 0;
  }

  @Override
  public void process(WatchedEvent event, @Nullable List<ACL> acl) {
    if (isOpen) {
      client.notified(this, event);
    }
  }

  @Override
  public void close(DisconnectReason reason) {
    if (isOpen) {
      isOpen = false;
      setStale();
      forget();
    }
  }

  @Override
  public void sendCloseSession() {
    closeLater();
  }

  @Override
  protected void receive() {}

  @Override
  protected void refrain() {}

  @Override
  protected void begin(long begun) {
    session = begun;
  }

  @Override
  protected void agree(int millis) {
    timeoutMillis = millis;
  }

  @Override
  protected int agreedTimeoutMillis() {
    return timeoutMillis;
  }

  @Override
  public long getSessionId() {
    return session;
  }

  @Override
  protected @Nullable ServerStats serverStats() {
    return null;
  }

  @Override
  public InetSocketAddress getRemoteSocketAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
  }

  @Override
  public int getInterestOps() {
    return 0;
  }

  @Override
  public boolean isSecure() {
    return false;
  }

  @Override
  public Certificate[] getClientCertificateChain() {
    return new Certificate[0];
  }

  @Override
  public void setClientCertificateChain(Certificate[] chain) {}
}
