package corfu.node.local;

import corfu.node.ClusterConfig;
import corfu.node.RoleKind;
import corfu.node.ServerConfig;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.CorfuOptions;
import corfu.transport.tls.TlsMode;
import corfu.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A cluster whose servers are processes on this machine. They outlive the process that started
 * them. All users of the same directory use the same cluster.
 *
 * <pre>
 *   DIR/corfu.toml   the configuration, ports included; written at the first start, then unchanged
 *   DIR/NAME.pid     the server's process id
 *   DIR/NAME.log     the server's output
 *   DIR/NAME/        the server's data
 *   DIR/pki/         the authority and the certificates, made by {@link #secure}
 * </pre>
 */
public final class LocalCluster {

  /** The name of the configuration file. */
  public static final String CONFIG = "corfu.toml";

  private static final String LOCK = "cluster.lock";
  private static final String PKI = "pki";
  private static final Duration POLL = Duration.ofMillis(20);

  private final Path directory;
  private final World world;

  private LocalCluster(Path directory, World world) {
    this.directory = directory;
    this.world = world;
  }

  /** Returns the cluster in this directory, which need not exist yet. */
  public static LocalCluster at(Path directory, World world) {
    return new LocalCluster(realPath(directory.toAbsolutePath().normalize()), world);
  }

  /**
   * Returns the unique name of a directory: processes are recognized by the name with which they
   * were started.
   */
  private static Path realPath(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path parent = path.getParent();
      return parent == null ? path : realPath(parent).resolve(path.getFileName());
    }
  }

  public Path directory() {
    return directory;
  }

  /** Returns the path of the configuration, which need not exist yet. */
  public Path configFile() {
    return directory.resolve(CONFIG);
  }

  public boolean exists() {
    return Files.exists(configFile());
  }

  /**
   * Returns the cluster's configuration.
   *
   * @throws LocalClusterException if there is no cluster here
   * @throws corfu.node.ConfigException if its configuration is invalid
   */
  public ClusterConfig config() {
    if (!exists()) {
      throw new LocalClusterException(
          "there is no cluster in %s: start one with corfu cluster start --dir %s"
              .formatted(directory, directory));
    }
    return ClusterConfig.read(configFile());
  }

  /** Writes the configuration of a new cluster. Starts nothing. */
  public ClusterConfig create(int nodes, int replicas, UnitMode mode) {
    return create(nodes, 0, replicas, 0, mode);
  }

  /**
   * Writes the configuration of a new cluster, in which this number of servers, the last ones, are
   * spares.
   */
  public ClusterConfig create(int nodes, int spares, int replicas, UnitMode mode) {
    return create(nodes, spares, replicas, 0, mode);
  }

  /**
   * Writes the configuration of a new cluster, in which streams have replicas of their own, on log
   * units that hold nothing else.
   */
  public ClusterConfig create(
      int nodes, int spares, int replicas, int streamReplicas, UnitMode mode) {
    makeDirectory();
    return locked(
        () -> {
          if (exists()) {
            throw new LocalClusterException("there is a cluster in " + directory + " already");
          }
          int firstPort = FreePorts.consecutive(nodes, world.random());
          var config =
              ClusterConfig.local(directory, firstPort, nodes, replicas, mode)
                  .withSpares(spares)
                  .withStreamReplicas(streamReplicas);
          replaceConfig(config.toToml());
          return ClusterConfig.read(configFile());
        });
  }

  /**
   * Sets the TLS of all servers and of commands that use this directory. The first time, this makes
   * an authority in the directory, and certificates of the servers, of an administrator and of a
   * client. Running servers use another mode after a restart.
   *
   * @return the changed configuration
   * @throws corfu.pki.PkiException if the authority's directory is unusable
   */
  public ClusterConfig secure(TlsMode mode) {
    return locked(
        () -> {
          ClusterConfig config = config();
          ClusterSecurity security =
              LoopbackAuthority.prepare(directory.resolve(PKI), names(config), world);
          replaceConfig(config.withSecurity(security.withMode(mode)).toToml());
          return config();
        });
  }

  /**
   * Turns permissions on: the cluster's servers and its administrator's certificate may do
   * everything, all other clients what the policy in the log allows. Running servers enforce it
   * after a restart.
   *
   * @return the changed configuration
   * @throws LocalClusterException if the cluster has no TLS, without which nobody proves a name
   */
  public ClusterConfig enforcePermissions() {
    return locked(
        () -> {
          ClusterConfig config = config();
          if (config.security().servers().mode() == TlsMode.OFF) {
            throw new LocalClusterException(
                ("permissions need certificates, which prove the names of clients: turn on TLS"
                        + " first by corfu cluster tls optional --dir %s")
                    .formatted(directory));
          }
          replaceConfig(config.withAccess(LoopbackAuthority.trusted()).toToml());
          return config();
        });
  }

  /**
   * Turns permissions off. The policy stays in the log.
   *
   * @return the changed configuration
   */
  public ClusterConfig enforceNoPermissions() {
    return locked(
        () -> {
          replaceConfig(config().withAccess(Optional.empty()).toToml());
          return config();
        });
  }

  private static List<String> names(ClusterConfig config) {
    return config.servers().stream().map(ServerConfig::name).toList();
  }

  /** Issues certificates that are missing, and renews those that end soon. */
  private void renewCertificates(ClusterConfig config) {
    if (Files.exists(directory.resolve(PKI))) {
      var unused = LoopbackAuthority.prepare(directory.resolve(PKI), names(config), world);
    }
  }

  /**
   * Returns the options of a client that is an administrator of this cluster.
   *
   * @throws LocalClusterException if there is no cluster here
   */
  public CorfuOptions clientOptions() {
    ClusterConfig config = config();
    return CorfuOptions.of(config.endpoints()).withTls(config.security().ofCommands());
  }

  /** Returns the endpoints of the servers. */
  public List<Endpoint> endpoints() {
    return config().servers().stream().map(ServerConfig::listen).toList();
  }

  /** Returns all servers, those included that do not run. */
  public List<LocalServer> servers() {
    return config().servers().stream().map(this::look).toList();
  }

  private LocalServer look(ServerConfig server) {
    return new LocalServer(server.name(), server.listen(), pidFile(server.name()).process());
  }

  /**
   * Starts the servers that do not run, and waits until the whole cluster serves.
   *
   * @param java starts the program whose {@code server} command is a server
   * @param timeout the time limit
   * @return the started servers
   * @throws LocalClusterException if a server ends at once, or the cluster does not serve in time
   */
  public List<LocalServer> start(JavaCommand java, Duration timeout) {
    return locked(() -> start(config().servers(), java, timeout));
  }

  private List<LocalServer> start(List<ServerConfig> servers, JavaCommand java, Duration timeout) {
    long deadline = world.nanoTime() + timeout.toNanos();
    ClusterConfig config = config();
    renewCertificates(config);
    var started = new ArrayList<StartedServer>();
    for (ServerConfig server : servers) {
      if (!look(server).isRunning()) {
        started.add(spawn(java, server));
      }
    }
    new Readiness(config, servers, started, deadline, world).await();
    return started.stream().map(StartedServer::server).toList();
  }

  /**
   * Starts another server, which can have all roles but has none yet: the layout does not name it.
   *
   * @param java starts the program whose {@code server} command is a server
   * @param timeout the time limit
   * @throws LocalClusterException if the server ends at once, or the cluster does not serve in time
   */
  public LocalServer add(JavaCommand java, Duration timeout) {
    return locked(
        () -> {
          ServerConfig added = another(config());
          append(added.toToml());
          return start(List.of(added), java, timeout).getFirst();
        });
  }

  private ServerConfig another(ClusterConfig config) {
    int number = config.servers().size() + 1;
    while (isTaken("n" + number, config)) {
      number++;
    }
    Path home = directory.resolve("n" + number);
    int port = FreePorts.consecutive(1, world.random());
    var listen = new Endpoint(config.servers().getFirst().listen().host(), port);
    return new ServerConfig("n" + number, listen, home, EnumSet.allOf(RoleKind.class));
  }

  private static boolean isTaken(String name, ClusterConfig config) {
    return config.servers().stream().anyMatch(server -> server.name().equals(name));
  }

  /** Appends to the configuration. */
  private void append(String toml) {
    try {
      replaceConfig(Files.readString(configFile()) + toml);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + configFile(), e);
    }
  }

  private void replaceConfig(String toml) {
    Path fresh = directory.resolve(CONFIG + ".new");
    try {
      Files.writeString(fresh, toml);
      Files.move(fresh, configFile(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + configFile(), e);
    }
  }

  private StartedServer spawn(JavaCommand java, ServerConfig server) {
    Path log = directory.resolve(server.name() + ".log");
    ProcessBuilder builder = java.detachedWith(argumentsOf(server.name()).toArray(String[]::new));
    builder.directory(directory.toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      long logStart = Files.exists(log) ? Files.size(log) : 0;
      Process process = builder.start();
      pidFile(server.name()).write(process.pid());
      var running =
          new LocalServer(server.name(), server.listen(), Optional.of(process.toHandle()));
      return new StartedServer(running, process, log, logStart);
    } catch (IOException e) {
      throw new LocalClusterException(
          "server " + server.name() + " could not be started: " + e.getMessage(), e);
    }
  }

  /**
   * Stops every running server, and waits for its end.
   *
   * @param patience the time limit
   * @return the servers that had been running; a server that has not ended has a live process
   */
  public List<LocalServer> stop(Duration patience) {
    return locked(() -> stop(config().servers(), patience));
  }

  private List<LocalServer> stop(List<ServerConfig> whom, Duration patience) {
    var running = whom.stream().map(this::look).filter(LocalServer::isRunning).toList();
    running.forEach(server -> server.process().ifPresent(ProcessHandle::destroy));
    long deadline = world.nanoTime() + patience.toNanos();
    while (running.stream().anyMatch(LocalCluster::isAlive) && world.nanoTime() < deadline) {
      world.pause(POLL);
    }
    for (LocalServer server : running) {
      if (!isAlive(server)) {
        pidFile(server.name()).delete();
      }
    }
    return running;
  }

  /**
   * Kills a server's process and waits for its end. Does nothing if it does not run.
   *
   * @param name the server's name
   * @param patience the time limit
   * @return the server before its end
   * @throws corfu.node.ConfigException if no server has this name
   * @throws LocalClusterException if the process has not ended in time
   */
  public LocalServer kill(String name, Duration patience) {
    return locked(
        () -> {
          LocalServer server = look(config().server(name));
          server.process().ifPresent(ProcessHandle::destroyForcibly);
          long deadline = world.nanoTime() + patience.toNanos();
          while (isAlive(server)) {
            if (world.nanoTime() - deadline > 0) {
              throw new LocalClusterException(
                  "the process of server " + name + " was killed, but has not ended");
            }
            world.pause(POLL);
          }
          pidFile(name).delete();
          return server;
        });
  }

  /**
   * Stops these servers if they run, starts all of them, and waits until they answer and the
   * cluster serves.
   *
   * @param names the servers' names
   * @param java starts the program whose {@code server} command is a server
   * @param timeout the time limit of stopping, and of starting
   * @throws corfu.node.ConfigException if no server has one of these names
   * @throws LocalClusterException if a server does not end, or ends at once, or the cluster does
   *     not serve in time
   */
  public List<LocalServer> restart(List<String> names, JavaCommand java, Duration timeout) {
    return locked(
        () -> {
          var config = config();
          var servers = names.stream().map(config::server).toList();
          for (LocalServer server : stop(servers, timeout)) {
            if (isAlive(server)) {
              throw new LocalClusterException(
                  "server %s does not end; kill it first: corfu cluster kill %s --dir %s"
                      .formatted(server.name(), server.name(), directory));
            }
          }
          return start(servers, java, timeout);
        });
  }

  /** Returns whether the server's process still runs. */
  public static boolean isAlive(LocalServer server) {
    return server.process().map(PidFile::isAlive).orElse(false);
  }

  private List<String> argumentsOf(String name) {
    return List.of("server", "--config", configFile().toString(), "--name", name);
  }

  private PidFile pidFile(String name) {
    return new PidFile(directory.resolve(name + ".pid"), argumentsOf(name));
  }

  private void makeDirectory() {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new LocalClusterException("cannot create " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Runs an action under the lock. Two commands at once would start two processes on the same data,
   * one of which fails.
   */
  private <T> T locked(Supplier<T> action) {
    Path lockFile = directory.resolve(LOCK);
    if (!Files.isDirectory(directory)) {
      throw new LocalClusterException("there is no directory " + directory);
    }
    try (var channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw inUse();
      }
      return action.get();
    } catch (OverlappingFileLockException e) {
      throw inUse();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + lockFile, e);
    }
  }

  private LocalClusterException inUse() {
    return new LocalClusterException(
        "another command starts or stops the cluster in " + directory + " now; try again later");
  }
}
