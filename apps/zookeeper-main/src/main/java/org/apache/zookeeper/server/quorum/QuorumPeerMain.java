package org.apache.zookeeper.server.quorum;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.server.ExitCode;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main class of ZooKeeper's scripts and of test harnesses. It starts a translation server from
 * a {@code zoo.cfg} and serves until the process ends.
 *
 * <pre>
 * java -cp corfu-zookeeper-main.jar:... org.apache.zookeeper.server.quorum.QuorumPeerMain zoo.cfg
 * </pre>
 *
 * A harness that runs in the same process calls {@link #runFromConfig} on a thread of its own, and
 * {@link #close} on another one, as with ZooKeeper's own class. There is no {@code QuorumPeer}.
 */
public class QuorumPeerMain {

  private static final Logger LOG = LoggerFactory.getLogger(QuorumPeerMain.class);

  private static final String USAGE = "Usage: QuorumPeerMain configfile";

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ConfiguredServer running;
  private boolean isClosed;

  /** Creates a main class that does not run yet. */
  public QuorumPeerMain() {}

  /**
   * Serves.
   *
   * @param args the path of the configuration
   */
  public static void main(String[] args) {
    if (args.length != 1) {
      System.err.println(USAGE);
      System.exit(ExitCode.INVALID_INVOCATION.getValue());
    }
    System.exit(run(args).getValue());
  }

  private static ExitCode run(String[] args) {
    QuorumPeerMain main = new QuorumPeerMain();
    Runtime.getRuntime().addShutdownHook(new Thread(main::close, "shutdown"));
    try {
      main.initializeAndRun(args);
      return ExitCode.EXECUTION_FINISHED;
    } catch (ConfigException | IllegalArgumentException wrong) {
      LOG.error("the configuration {} is wrong", args[0], wrong);
      System.err.println(args[0] + ": " + wrong.getMessage());
      return ExitCode.INVALID_INVOCATION;
    } catch (IOException | IllegalStateException | CompletionException failure) {
      LOG.error("the server has stopped", failure);
      System.err.println("the server has stopped: " + failure.getMessage());
      return ExitCode.UNEXPECTED_ERROR;
    }
  }

  /**
   * Serves until {@link #close} is called.
   *
   * @param args the path of the configuration, alone
   * @throws ConfigException if ZooKeeper refuses the configuration
   * @throws IllegalArgumentException if a value of the configuration is wrong
   * @throws IOException if the file cannot be read, or a port is not free
   */
  protected void initializeAndRun(String[] args) throws ConfigException, IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException(USAGE);
    }
    serve(ServerConfig.read(Path.of(args[0])));
  }

  /**
   * Serves until {@link #close} is called.
   *
   * @param config a configuration. ZooKeeper's class keeps keys that it does not know, such as
   *     {@code corfu.dir}, in system properties that begin with {@code zookeeper.}.
   * @throws IllegalArgumentException if a value of the configuration is wrong
   * @throws IOException if a port is not free
   */
  public void runFromConfig(QuorumPeerConfig config) throws IOException {
    serve(ServerConfig.of(config));
  }

  private void serve(ServerConfig config) throws IOException {
    InetSocketAddress clients = config.options().listen().clientAddress();
    if (!clients.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "clientPort {} listens beyond this machine without TLS: set clientPortAddress=127.0.0.1,"
              + " and serve others by secureClientPort",
          clients);
    }
    ConfiguredServer server = ConfiguredServer.start(config);
    if (!begin(server)) {
      server.close();
      return;
    }
    try {
      server.service().awaitReady();
      System.out.println("clients are served at port " + server.service().clientPort());
      server.service().ended().join();
    } finally {
      server.close();
    }
  }

  private boolean begin(ConfiguredServer server) {
    lock.lock();
    try {
      if (!isClosed) {
        running = server;
      }
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the server. The call that serves returns. */
  public void close() {
    ConfiguredServer server;
    lock.lock();
    try {
      isClosed = true;
      server = running;
    } finally {
      lock.unlock();
    }
    if (server != null) {
      server.close();
    }
  }
}
