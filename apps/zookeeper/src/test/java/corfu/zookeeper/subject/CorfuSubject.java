package corfu.zookeeper.subject;

import corfu.node.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A translation server in a process of its own, over a log in this JVM. */
public final class CorfuSubject implements Subject {

  private static final int TICK_MILLIS = 50;

  private final SubjectOptions options;
  private final EmbeddedCluster cluster;
  private final Path errors;
  private ServerProcess process;
  private int port;

  private CorfuSubject(SubjectOptions options, EmbeddedCluster cluster, Path errors)
      throws IOException {
    this.options = options;
    this.cluster = cluster;
    this.errors = errors;
    this.process = launch();
    this.port = process.port();
  }

  /**
   * Starts a server of an empty namespace on a free port.
   *
   * @throws IOException if the server does not start
   */
  public static CorfuSubject start(SubjectOptions options) throws IOException {
    EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(2).replicas(2).start();
    return new CorfuSubject(options, cluster, Files.createTempFile("zookeeper", ".log"));
  }

  private ServerProcess launch() throws IOException {
    return ServerProcess.start(
        CorfuServer.class,
        List.of(
            String.join(",", cluster.clientOptions().servers().stream().map(Object::toString).toList()),
            String.valueOf(port),
            String.valueOf(TICK_MILLIS),
            String.valueOf(options.minSessionTimeoutMillis()),
            String.valueOf(SubjectOptions.MAX_SESSION_TIMEOUT_MILLIS),
            String.valueOf(options.maxConnections()),
            String.valueOf(options.containerCheckMillis())),
        options,
        errors);
  }

  @Override
  public String name() {
    return "Corfu";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void restart() throws IOException {
    process.kill();
    process = launch();
  }

  @Override
  public void close() {
    process.kill();
    cluster.close();
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + errors, e);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
