package corfu.zookeeper.subject;

import java.io.File;
import java.net.InetSocketAddress;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** The main class of the process of a {@link RealSubject}. It ends when its input ends. */
final class RealServer {

  /** The start of the line that the process prints when it serves; the port follows. */
  static final String READY = "port ";

  private static final int MAX_REMOVALS_PER_MINUTE = 100_000;

  private RealServer() {}

  /**
   * Serves until the input ends.
   *
   * @param args the data directory, the port (0 means any), the tick, the shortest and the longest
   *     session timeout, the limit of connections from one address, and the interval of the
   *     container manager; times in milliseconds
   */
  public static void main(String[] args) throws Exception {
    File data = new File(args[0]);
    ProviderRegistry.initialize();
    var server = new ZooKeeperServer(new FileTxnSnapLog(data, data), intOf(args[2]), "");
    server.setMinSessionTimeout(intOf(args[3]));
    server.setMaxSessionTimeout(intOf(args[4]));
    var factory = new NIOServerCnxnFactory();
    factory.configure(new InetSocketAddress("127.0.0.1", intOf(args[1])), intOf(args[5]));
    factory.startup(server);
    var containers =
        new ContainerManager(
            server.getZKDatabase(), submitsTo(server), intOf(args[6]), MAX_REMOVALS_PER_MINUTE);
    containers.start();
    System.out.println(READY + factory.getLocalPort());
    while (System.in.read() >= 0) {
      // The parent process writes nothing. The input ends with it.
    }
    Runtime.getRuntime().halt(0);
  }

  private static RequestProcessor submitsTo(ZooKeeperServer server) {
    return new RequestProcessor() {
      @Override
      public void processRequest(Request request) {
        server.submitRequest(request);
      }

      @Override
      public void shutdown() {
        server.shutdown();
      }
    };
  }

  private static int intOf(String argument) {
    return Integer.parseInt(argument);
  }
}
