package org.apache.zookeeper.server.quorum;

import corfu.node.EmbeddedCluster;
import corfu.node.local.LocalCluster;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import corfu.zookeeper.ZooKeeperService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A translation server with its connection to the log, and with its cluster if the configuration
 * names none. The embedded cluster is one durable server in {@code dataDir}. Thread-safe.
 */
final class ConfiguredServer implements AutoCloseable {

  private static final String EMBEDDED_DIRECTORY = "corfu";

  private final Optional<EmbeddedCluster> cluster;
  private final Corfu corfu;
  private final ZooKeeperService service;
  private boolean isClosed;

  private ConfiguredServer(
      Optional<EmbeddedCluster> cluster, Corfu corfu, ZooKeeperService service) {
    this.cluster = cluster;
    this.corfu = corfu;
    this.service = service;
  }

  /**
   * Starts a server, which listens when this returns.
   *
   * @throws IOException if a port is not free
   */
  static ConfiguredServer start(ServerConfig config) throws IOException {
    Optional<EmbeddedCluster> embedded = Optional.empty();
    Optional<CorfuOptions> remote = remote(config);
    if (remote.isEmpty()) {
      Path directory = config.dataDir().resolve(EMBEDDED_DIRECTORY);
      Files.createDirectories(directory);
      embedded = Optional.of(EmbeddedCluster.builder().directory(directory).start());
    }
    Corfu corfu =
        embedded.map(EmbeddedCluster::connect).orElseGet(() -> Corfu.connect(remote.orElseThrow()));
    try {
      return new ConfiguredServer(embedded, corfu, ZooKeeperService.open(corfu, config.options()));
    } catch (IOException | RuntimeException failure) {
      corfu.close();
      embedded.ifPresent(EmbeddedCluster::close);
      throw failure;
    }
  }

  /** Returns the options of a connection to the cluster, or empty if it shall be embedded. */
  private static Optional<CorfuOptions> remote(ServerConfig config) {
    if (config.clusterDirectory().isEmpty()) {
      return config.servers().isEmpty()
          ? Optional.empty()
          : Optional.of(CorfuOptions.of(config.servers()).withTls(config.tls()));
    }
    try (var world = new RealWorld()) {
      LocalCluster local = LocalCluster.at(config.clusterDirectory().get(), world);
      if (!local.exists()) {
        throw new IllegalArgumentException(
            "corfu.dir: there is no cluster in " + local.directory());
      }
      return Optional.of(local.clientOptions());
    }
  }

  ZooKeeperService service() {
    return service;
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      service.close();
      corfu.close();
      cluster.ifPresent(EmbeddedCluster::close);
    }
  }
}
