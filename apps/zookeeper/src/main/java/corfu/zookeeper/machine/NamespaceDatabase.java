package corfu.zookeeper.machine;

import java.util.function.Consumer;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZKDatabase;

/**
 * ZooKeeper's database without files: the log is its persistence.
 *
 * <p>It tells a receiver about connections that have closed.
 */
final class NamespaceDatabase extends ZKDatabase {

  private final Consumer<ServerCnxn> closedConnections;

  @SuppressWarnings("NullAway") // nothing that is called here uses the files
  NamespaceDatabase(Consumer<ServerCnxn> closedConnections) {
    super(null);
    this.closedConnections = closedConnections;
  }

  @Override
  public DataTree createDataTree() {
    return new NamespaceTree();
  }

  NamespaceTree tree() {
    return (NamespaceTree) getDataTree();
  }

  @Override
  public boolean isInitialized() {
    return true;
  }

  @Override
  public long fastForwardDataBase() {
    return getDataTreeLastProcessedZxid();
  }

  /** Does nothing: followers read the log. */
  @Override
  public void addCommittedProposal(Request request) {}

  @Override
  public void removeCnxn(ServerCnxn connection) {
    super.removeCnxn(connection);
    closedConnections.accept(connection);
  }
}
