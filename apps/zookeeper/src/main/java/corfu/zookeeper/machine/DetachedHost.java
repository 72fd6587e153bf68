package corfu.zookeeper.machine;

import corfu.zookeeper.command.NamespaceCommand.Origin;
import java.util.Optional;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A host without connections, for states of the past, imports and exports. */
final class DetachedHost implements NamespaceHost {

  /** A server that only validates and applies. */
  private static final class DetachedServer extends ZooKeeperServer {
    void use(ZKDatabase database, SessionRegistry sessions) {
      sessionTracker = new MachineSessionTracker(() -> sessions);
      setZKDatabase(database);
    }
  }

  private final DetachedServer server = new DetachedServer();

  DetachedHost(ZKDatabase database, SessionRegistry sessions) {
    server.use(database, sessions);
  }

  @Override
  public ZooKeeperServer server() {
    return server;
  }

  @Override
  public Optional<Request> takeWaiting(Origin origin) {
    return Optional.empty();
  }

  @Override
  public void reply(Request request, Runnable reply) {
    reply.run();
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
