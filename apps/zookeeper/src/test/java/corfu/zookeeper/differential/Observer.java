package corfu.zookeeper.differential;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.wire.Packet;
import corfu.zookeeper.wire.RawBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetChildrenResponse;

/**
 * The superuser's session beside the sessions of programs. It makes and removes the node of each
 * program, and sees sessions expire. Not thread-safe.
 */
final class Observer implements AutoCloseable {

  private static final String MARKERS = "/markers";
  private static final int EPHEMERAL = 1;

  private final Subject subject;
  private final TestSession session;
  private int markers;

  /** Creates the observer's session. */
  Observer(Subject subject) throws IOException {
    this.subject = subject;
    this.session = new TestSession(subject.port(), "observer");
    session.connect(TestSession.TIMEOUT_MILLIS);
    byte[] superuser = Subject.SUPERUSER.getBytes(StandardCharsets.UTF_8);
    succeed(OpCode.auth, new AuthPacket(0, "digest", superuser));
    succeed(OpCode.create, creation(MARKERS, 0));
  }

  Subject subject() {
    return subject;
  }

  /** Creates the node of a program. */
  void create(String path) throws IOException {
    succeed(OpCode.create, creation(path, 0));
  }

  /** Deletes the node and all nodes below it, if it exists. */
  void deleteAll(String path) throws IOException {
    Packet reply = call(session, OpCode.getChildren, new GetChildrenRequest(path, false));
    if (reply.error() == Code.NONODE.intValue()) {
      return;
    }
    List<String> children = reply.read(new GetChildrenResponse()).getChildren();
    for (String child : children) {
      deleteAll(path + "/" + child);
    }
    succeed(OpCode.delete, new DeleteRequest(path, -1));
  }

  /** Keeps the observer's own session alive. */
  void ping() throws IOException {
    call(session, OpCode.ping, RawBytes.NONE);
  }

  /**
   * Drops the connection of a session without a goodbye, and returns when the session has expired.
   *
   * @return the text of the session's last connect
   */
  String expire(TestSession victim) throws IOException {
    String marker = MARKERS + "/" + markers++;
    if (!victim.isConnected()) {
      victim.connect(TestSession.TIMEOUT_MILLIS);
    }
    call(victim, OpCode.create, creation(marker, EPHEMERAL));
    succeed(OpCode.exists, new ExistsRequest(marker, true));
    String text = victim.connect(1); // The server raises this to its shortest timeout.
    victim.end();
    Optional<Packet> event = session.receive();
    if (event.isEmpty() || !event.get().isEvent()) {
      throw new IOException("%s: no event for %s, but %s".formatted(subject, marker, event));
    }
    return text;
  }

  private static CreateRequest creation(String path, int flags) {
    return new CreateRequest(path, new byte[0], Ids.OPEN_ACL_UNSAFE, flags);
  }

  private void succeed(int operation, Record body) throws IOException {
    Packet reply = call(session, operation, body);
    if (reply.error() != Code.OK.intValue()) {
      throw new IOException(
          "%s: operation %d fails with %s: %s"
              .formatted(subject, operation, ReplyText.errorText(reply.error()), body));
    }
  }

  private Packet call(TestSession caller, int operation, Record body) throws IOException {
    caller.send(operation, body);
    caller.flush();
    while (true) {
      Optional<Packet> packet = caller.receive();
      if (packet.isEmpty()) {
        throw new IOException("%s closed the connection of %s".formatted(subject, caller.name()));
      }
      if (!packet.get().isEvent()) {
        return packet.get();
      }
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
