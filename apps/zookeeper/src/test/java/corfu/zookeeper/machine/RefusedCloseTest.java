package corfu.zookeeper.machine;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.smr.Command;
import corfu.zookeeper.command.CommandCodec;
import corfu.zookeeper.command.NamespaceCommand;
import corfu.zookeeper.command.NamespaceCommand.AttachSession;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import corfu.zookeeper.command.NamespaceCommand.CreateSession;
import corfu.zookeeper.command.NamespaceCommand.Origin;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A client moves its session to another server while a close is on its way in the log. The server
 * that has sent the close replies to it, and so must not do more than the others.
 */
class RefusedCloseTest {

  private static final long SESSION = 7;
  private static final Origin CLOSE = new Origin(1, 2);

  private final WaitingHost host = new WaitingHost();
  private final NamespaceMachine sender = new NamespaceMachine(host, machine -> {}, none -> {});
  private final NamespaceMachine other = new NamespaceMachine();
  private int commands;

  private void apply(NamespaceCommand command) {
    for (NamespaceMachine machine : List.of(sender, other)) {
      ByteBuffer body = CommandCodec.encode(command);
      machine.apply(new Command(new Address(commands), 0, 0, body));
    }
    commands++;
  }

  private static ClientRequest close(Origin origin, long attachment, long sequence) {
    ByteBuffer none = ByteBuffer.allocate(0);
    return new ClientRequest(
        origin, SESSION, attachment, sequence, 3, OpCode.closeSession, 5, List.of(), none);
  }

  @Test
  void aCloseFromBeforeAMoveEndsTheSessionOnNoServer() {
    host.use(sender);
    apply(new CreateSession(new Origin(1, 1), SESSION, 10_000, 4));
    apply(new AttachSession(new Origin(2, 1), SESSION, 10_000));

    apply(close(CLOSE, 1, 1));

    assertThat(host.hasReplied).isTrue();
    assertThat(sender.sessions()).containsOnlyKeys(SESSION);
    assertThat(other.sessions()).containsOnlyKeys(SESSION);
    assertThat(sender.zxid()).isEqualTo(other.zxid());
  }

  @Test
  void aCloseInTheSessionsTurnEndsItOnEveryServer() {
    host.use(sender);
    apply(new CreateSession(new Origin(1, 1), SESSION, 10_000, 4));

    apply(close(CLOSE, 1, 1));

    assertThat(host.hasReplied).isTrue();
    assertThat(sender.sessions()).isEmpty();
    assertThat(other.sessions()).isEmpty();
    assertThat(sender.zxid()).isEqualTo(other.zxid());
  }

  /** The surroundings of the server that has sent the close. */
  private static final class WaitingHost implements NamespaceHost {

    private @Nullable DetachedHost server;
    private boolean hasReplied;

    void use(NamespaceMachine machine) {
      server = new DetachedHost(machine.database(), machine.sessionRegistry());
      machine.installed();
    }

    @Override
    public ZooKeeperServer server() {
      if (server == null) {
        throw new IllegalStateException("the machine is not in use yet");
      }
      return server.server();
    }

    @Override
    @SuppressWarnings("NullAway") // a request without a connection, as ZooKeeper's leader has them
    public Optional<Request> takeWaiting(Origin origin) {
      RequestRecord none = RequestRecord.fromBytes(new byte[0]);
      return origin.equals(CLOSE)
          ? Optional.of(new Request(null, SESSION, 3, OpCode.closeSession, none, List.of()))
          : Optional.empty();
    }

    @Override
    public void reply(Request request, Runnable reply) {
      reply.run();
      hasReplied = true;
    }

    @Override
    public void abandoned(Request request) {}

    @Override
    public void attached(Request request, long session, SessionState state) {}

    @Override
    public void sessionRenewed(long session, SessionState state, int idleMillis) {}

    @Override
    public void sessionEnded(long session) {}

    @Override
    public void serverRegistered(int number, ServerState state) {}

    @Override
    public void serverRenewed(int number, ServerState state) {}

    @Override
    public void serverRemoved(int number, ServerState state) {}

    @Override
    public void unknownServer(int number) {}
  }
}
