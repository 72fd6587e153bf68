package org.apache.zookeeper.server.quorum;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.server.ExitCode;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main class of ZooKeeper's scripts and of test harnesses. It starts a translation server from
 * a {@code zoo.cfg} and serves until the process ends.
 *
 * <pre>
 * java -cp corfu-zookeeper-main.jar:... org.apache.zookeeper.server.quorum.QuorumPeerMain zoo.cfg
 * </pre>
 */
public final class QuorumPeerMain {

  private static final Logger LOG = LoggerFactory.getLogger(QuorumPeerMain.class);

  private static final String USAGE = "Usage: QuorumPeerMain configfile";

  private QuorumPeerMain() {}

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
    System.exit(run(Path.of(args[0])).getValue());
  }

  private static ExitCode run(Path file) {
    try (ConfiguredServer server = ConfiguredServer.start(ServerConfig.read(file))) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
      server.service().awaitReady();
      System.out.println("clients are served at port " + server.service().clientPort());
      server.service().ended().join();
      return ExitCode.EXECUTION_FINISHED;
    } catch (ConfigException | IllegalArgumentException wrong) {
      LOG.error("the configuration {} is wrong", file, wrong);
      System.err.println(file + ": " + wrong.getMessage());
      return ExitCode.INVALID_INVOCATION;
    } catch (IOException | IllegalStateException | CompletionException failure) {
      LOG.error("the server has stopped", failure);
      System.err.println("the server has stopped: " + failure.getMessage());
      return ExitCode.UNEXPECTED_ERROR;
    }
  }
}
