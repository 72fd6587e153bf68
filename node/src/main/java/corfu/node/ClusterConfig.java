package corfu.node;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A cluster's configuration, the same on every machine.
 *
 * <pre>
 * replicas = 2
 *
 * [log-unit]
 * mode = "durable"            # or buffered, or memory
 * capacity = "100 GiB"        # what a unit's files may measure; without it, the disk decides
 * segment = "64 MiB"          # the size of one file
 * max-entry = "16 MiB"
 *
 * [[server]]
 * name = "n1"
 * listen = "127.0.0.1:9001"
 * directory = "n1"            # relative to this file
 * roles = ["sequencer", "layout-server", "log-unit"]
 * </pre>
 *
 * @param replicas copies of each entry
 * @param servers one or more; names and addresses differ
 * @param mode when a log unit acknowledges a write
 * @param capacityBytes what one log unit's files may measure
 * @param segmentBytes what one file of a log unit measures
 * @param limits how large entries and messages may be
 */
public record ClusterConfig(
    int replicas,
    List<ServerConfig> servers,
    UnitMode mode,
    long capacityBytes,
    int segmentBytes,
    Limits limits) {

  static final int DEFAULT_SEGMENT_BYTES = 64 << 20;
  static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * A unit in memory takes no more than a quarter of what the JVM may have, unless told otherwise.
   */
  private static final int MEMORY_SHARE = 4;

  public ClusterConfig {
    servers = List.copyOf(servers);
    Set<String> names = new HashSet<>();
    Set<Endpoint> addresses = new HashSet<>();
    for (ServerConfig server : servers) {
      if (!names.add(server.name())) {
        throw new ConfigException("two servers have the name '" + server.name() + "'");
      }
      if (!addresses.add(server.listen())) {
        throw new ConfigException("two servers listen on " + server.listen());
      }
    }
    if (withRole(servers, RoleKind.LAYOUT_SERVER).isEmpty()) {
      throw new ConfigException(
          "no server has the role layout-server; one is needed, three survive a failure");
    }
    if (capacityBytes < 4L * segmentBytes) {
      throw new ConfigException(
          "capacity = \""
              + ByteSize.format(capacityBytes)
              + "\" is less than four segment files of "
              + ByteSize.format(segmentBytes)
              + "; raise it, or set segment to something smaller");
    }
    int units = withRole(servers, RoleKind.LOG_UNIT).size();
    if (replicas < 1 || replicas > units) {
      throw new ConfigException(
          "replicas = "
              + replicas
              + " needs as many servers with the role log-unit, but there are "
              + units);
    }
  }

  /**
   * Reads a TOML file.
   *
   * @throws ConfigException if it cannot be read, or is wrong anywhere; unknown keys are wrong
   */
  public static ClusterConfig read(Path file) {
    return ConfigFile.read(file);
  }

  /** The configuration as a file that {@link #read} understands. */
  public String toToml() {
    return ConfigFile.write(this);
  }

  /**
   * A cluster on this machine: servers n1, n2, ... on loopback, the first of which is the
   * sequencer, the first three (or one) layout servers, all of them log units.
   *
   * @param directory the parent of the servers' directories
   * @param firstPort the port of n1; the others follow
   */
  public static ClusterConfig local(
      Path directory, int firstPort, int nodes, int replicas, UnitMode mode) {
    List<ServerConfig> servers = new ArrayList<>();
    int layoutServers = nodes >= 3 ? 3 : 1;
    for (int i = 1; i <= nodes; i++) {
      Set<RoleKind> roles = EnumSet.of(RoleKind.LOG_UNIT);
      if (i == 1) {
        roles.add(RoleKind.SEQUENCER);
      }
      if (i <= layoutServers) {
        roles.add(RoleKind.LAYOUT_SERVER);
      }
      Endpoint listen = new Endpoint("127.0.0.1", firstPort + i - 1);
      servers.add(new ServerConfig("n" + i, listen, directory.resolve("n" + i), roles));
    }
    return new ClusterConfig(
        replicas, servers, mode, UNLIMITED, DEFAULT_SEGMENT_BYTES, Limits.DEFAULT);
  }

  /**
   * The server of this name.
   *
   * @throws ConfigException if there is none
   */
  public ServerConfig server(String name) {
    return servers.stream()
        .filter(server -> server.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    "no server is called '"
                        + name
                        + "'; these are: "
                        + String.join(", ", servers.stream().map(ServerConfig::name).toList())));
  }

  /** Where all servers listen. */
  public List<Endpoint> endpoints() {
    return servers.stream().map(ServerConfig::listen).toList();
  }

  /**
   * How the log units of this cluster store. A small capacity makes for small files, so that space
   * comes back in small pieces.
   */
  LogUnitOptions unitOptions() {
    LogUnitOptions defaults =
        mode == UnitMode.MEMORY
            ? LogUnitOptions.inMemory(
                Math.min(capacityBytes, Runtime.getRuntime().maxMemory() / MEMORY_SHARE))
            : LogUnitOptions.onDisk(mode)
                .withSegmentBytes(segmentBytes)
                .withCapacityBytes(capacityBytes);
    return defaults.withLimits(limits);
  }

  /** The layout that a new cluster of this configuration starts with. */
  Layout initialLayout(ClusterId id) {
    return Layout.initial(
        id,
        endpointsOf(RoleKind.SEQUENCER),
        endpointsOf(RoleKind.LAYOUT_SERVER),
        endpointsOf(RoleKind.LOG_UNIT),
        replicas);
  }

  List<Endpoint> endpointsOf(RoleKind role) {
    return withRole(servers, role).stream().map(ServerConfig::listen).toList();
  }

  private static List<ServerConfig> withRole(List<ServerConfig> servers, RoleKind role) {
    return servers.stream().filter(server -> server.has(role)).toList();
  }
}
