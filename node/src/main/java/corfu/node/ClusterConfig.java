package corfu.node;

import corfu.objects.host.HostOptions;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.NodeReply;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
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
 * stream-replicas = 0         # copies in each of an entry's streams beside those, on other units
 *
 * leases = true               # whether servers answer reads only while layout servers let them
 * lease = "300 ms"            # for how long
 * agent = true                # whether layout servers replace what fails; without, a sequencer
 *                             # that restarted waits for: corfu layout renew
 * suspicion = "400 ms"        # who is silent for longer has failed
 * trust = "10 s"              # how long a server must live again before it is used again
 *
 * [log-unit]
 * mode = "durable"            # or buffered, or memory
 * capacity = "100 GiB"        # what a unit's files may measure; without it, the disk decides
 * segment = "64 MiB"          # the size of one file
 * max-entry = "16 MiB"
 * max-streams = 64            # in how many streams one entry may be
 * scrub-bytes-per-second = "8 MiB"   # how fast a unit reads through what it holds; "0 B": never
 *
 * [views]                     # what servers with the role views host
 * memory = "256 MiB"          # how large all objects may be together, as checkpoints have them
 * objects = 1024
 * classes = ["bank.*"]        # of which classes they may be, beside the collections; none by default
 * jars = ["bank.jar"]         # where these are, if not on the server's class path
 *
 * [[server]]
 * name = "n1"
 * listen = "127.0.0.1:9001"
 * directory = "n1"            # relative to this file
 * roles = ["sequencer", "layout-server", "log-unit", "views"]   # all but views by default
 * spare = false               # whether its log unit waits until another one fails
 * </pre>
 *
 * <p>The first server with the role sequencer serves, and the others stand by. Behind those, every
 * layout server and log unit of a file stands by: the cluster survives its sequencer.
 *
 * @param replicas copies of each entry, on log units that hold the log
 * @param streamReplicas copies of each entry in each of its streams, on other log units; 0 where
 *     streams have no replicas of their own
 * @param servers one or more; names and addresses differ
 * @param mode when a log unit acknowledges a write
 * @param capacityBytes what one log unit's files may measure
 * @param segmentBytes what one file of a log unit measures at most; less on a small disk
 * @param limits how large entries and messages may be
 * @param supervision how the servers look after each other
 * @param views what servers with the role views host
 * @param scrub how fast log units look for what their disks have damaged
 */
public record ClusterConfig(
    int replicas,
    int streamReplicas,
    List<ServerConfig> servers,
    UnitMode mode,
    long capacityBytes,
    int segmentBytes,
    Limits limits,
    Supervision supervision,
    HostOptions views,
    ScrubRate scrub) {

  static final int DEFAULT_SEGMENT_BYTES = 64 << 20;
  static final long UNLIMITED = Long.MAX_VALUE;

  /** A unit of small capacity has small files, so that space comes back in small pieces. */
  private static final int SEGMENTS_OF_SMALL_UNITS = 64;

  /**
   * A unit in memory takes no more than a quarter of what the JVM may have, unless told otherwise.
   */
  private static final int MEMORY_SHARE = 4;

  /** One that serves, and two that are the first to take its place. */
  private static final int SEQUENCERS = 3;

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
    long units =
        withRole(servers, RoleKind.LOG_UNIT).stream().filter(server -> !server.spare()).count();
    if (replicas < 1 || replicas > units) {
      throw new ConfigException(
          "replicas = "
              + replicas
              + " needs as many servers with the role log-unit that are no spares, but there are "
              + units);
    }
    if (streamReplicas < 0 || streamReplicas > units - replicas) {
      throw new ConfigException(
          "stream-replicas = "
              + streamReplicas
              + " needs as many servers with the role log-unit beside the "
              + replicas
              + " for the log, but there are only "
              + units);
    }
  }

  /** One whose servers host what is usual, if they have the role. */
  public ClusterConfig(
      int replicas,
      int streamReplicas,
      List<ServerConfig> servers,
      UnitMode mode,
      long capacityBytes,
      int segmentBytes,
      Limits limits,
      Supervision supervision) {
    this(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        supervision,
        HostOptions.DEFAULT,
        ScrubRate.DEFAULT);
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
   * A cluster on this machine: servers n1, n2, ... on loopback, the first three of which have the
   * role sequencer, while the others stand by behind them; the first three (or one) layout servers,
   * all of them log units.
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
      if (i <= SEQUENCERS) {
        roles.add(RoleKind.SEQUENCER);
      }
      if (i <= layoutServers) {
        roles.add(RoleKind.LAYOUT_SERVER);
      }
      Endpoint listen = new Endpoint("127.0.0.1", firstPort + i - 1);
      Path home = directory.resolve("n" + i);
      servers.add(new ServerConfig("n" + i, listen, home, roles).standingBy());
    }
    return new ClusterConfig(
        replicas,
        0,
        servers,
        mode,
        UNLIMITED,
        DEFAULT_SEGMENT_BYTES,
        Limits.DEFAULT,
        Supervision.DEFAULT);
  }

  /** The same with other servers, which keep so many copies of each entry. */
  public ClusterConfig withServers(int copies, List<ServerConfig> others) {
    return new ClusterConfig(
        copies,
        streamReplicas,
        others,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        supervision,
        views,
        scrub);
  }

  /**
   * The same where each entry has so many copies in each of its streams, on log units of their own.
   */
  public ClusterConfig withStreamReplicas(int copies) {
    return new ClusterConfig(
        replicas,
        copies,
        servers,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        supervision,
        views,
        scrub);
  }

  /** The same where the last so many log units are spares. */
  public ClusterConfig withSpares(int spares) {
    List<ServerConfig> all = new ArrayList<>(servers);
    List<ServerConfig> units = withRole(servers, RoleKind.LOG_UNIT);
    for (ServerConfig unit : units.subList(Math.max(0, units.size() - spares), units.size())) {
      all.set(all.indexOf(unit), unit.asSpare());
    }
    return withServers(replicas, all);
  }

  /** The same where log units may measure so much, in files of a size that fits. */
  public ClusterConfig withCapacity(long bytes) {
    long fair = Math.max(bytes / SEGMENTS_OF_SMALL_UNITS & -4096L, 4096);
    int segment = (int) Math.min(fair, segmentBytes);
    return new ClusterConfig(
        replicas, streamReplicas, servers, mode, bytes, segment, limits, supervision, views, scrub);
  }

  /** The same with other limits. */
  public ClusterConfig withLimits(Limits other) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        segmentBytes,
        other,
        supervision,
        views,
        scrub);
  }

  /** The same where servers look after each other like this. */
  public ClusterConfig withSupervision(Supervision other) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        other,
        views,
        scrub);
  }

  /** The same with log units that look for damage at another rate. */
  public ClusterConfig withScrub(ScrubRate rate) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        supervision,
        views,
        rate);
  }

  /** The same where every server hosts views of objects, like this. */
  public ClusterConfig withViews(HostOptions how) {
    List<ServerConfig> all = servers.stream().map(ServerConfig::withViews).toList();
    return new ClusterConfig(
        replicas,
        streamReplicas,
        all,
        mode,
        capacityBytes,
        segmentBytes,
        limits,
        supervision,
        how,
        scrub);
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

  /** What the servers are called, as they tell others. */
  NodeReply.Names names() {
    return new NodeReply.Names(
        servers.stream()
            .map(server -> new NodeReply.Named(server.listen(), server.name()))
            .toList());
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
    return defaults.withLimits(limits).withScrub(scrub);
  }

  /** The layout that a new cluster of this configuration starts with. */
  public Layout initialLayout(ClusterId id) {
    List<Endpoint> units = new ArrayList<>();
    List<Endpoint> spares = new ArrayList<>();
    for (ServerConfig server : withRole(servers, RoleKind.LOG_UNIT)) {
      (server.spare() ? spares : units).add(server.listen());
    }
    Wanted wanted = new Wanted(units.size(), replicas, streamReplicas);
    units.addAll(spares);
    return Layout.initial(
        id, sequencerCandidates(), endpointsOf(RoleKind.LAYOUT_SERVER), units, wanted);
  }

  /** Those with the role sequencer come first. */
  private List<Endpoint> sequencerCandidates() {
    List<Endpoint> candidates = new ArrayList<>(endpointsOf(RoleKind.SEQUENCER));
    servers.stream()
        .filter(ServerConfig::standby)
        .map(ServerConfig::listen)
        .forEach(candidates::add);
    return candidates;
  }

  List<Endpoint> endpointsOf(RoleKind role) {
    return withRole(servers, role).stream().map(ServerConfig::listen).toList();
  }

  private static List<ServerConfig> withRole(List<ServerConfig> servers, RoleKind role) {
    return servers.stream().filter(server -> server.has(role)).toList();
  }
}
