package corfu.node;

import corfu.access.gate.TrustedIdentities;
import corfu.node.security.ClusterSecurity;
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
import java.util.Optional;
import java.util.Set;

/**
 * The configuration of a cluster, the same on every machine.
 *
 * <pre>
 * replicas = 2
 * stream-replicas = 0         # more copies in each of an entry's streams, on other units
 *
 * leases = true               # whether servers answer reads only with a lease of layout servers
 * lease = "300 ms"            # the duration of a lease
 * agent = true                # whether layout servers replace failed servers; without an agent, a
 *                             # restarted sequencer waits for: corfu layout renew
 * suspicion = "400 ms"        # a server that is silent for longer has failed
 * trust = "10 s"              # how long a server must live again before it is used again
 * tls = "off"                 # or optional, required: whether connections are encrypted
 * insecure-listen = "..."     # lets servers without TLS listen beyond this machine
 *
 * [log-unit]
 * mode = "durable"            # or buffered, or memory
 * capacity = "100 GiB"        # the limit of a unit's files; without it, the disk decides
 * segment = "64 MiB"          # the size of one log file
 * max-entry = "16 MiB"
 * max-streams = 64            # the largest number of streams of one entry
 * scrub-bytes-per-second = "8 MiB"   # how fast a unit reads through its entries; "0 B": never
 *
 * [views]                     # the limits of servers with the role views
 * memory = "256 MiB"          # the size of all objects together, as checkpoints have them
 * objects = 1024
 * classes = ["bank.*"]        # allowed classes beside the collections; none by default
 * jars = ["bank.jar"]         # their jars, if not on the server's class path
 *
 * [certificates]              # the files of TLS, in PEM format; they are read again on changes
 * server = "tls/{name}.pem"   # each server's certificate, and its private key
 * server-key = "..."          # the private key, if it is in a file of its own
 * authorities = ["ca.pem"]    # trusted issuers of certificates
 * revocations = "crl.pem"     # revoked certificates; none by default
 * clients = "required"        # or optional: whether clients need a certificate
 * trust-domain = "prod"       # what the SPIFFE ids of all others begin with; any by default
 * host-names = true           # whether a server's certificate must have its host
 * engine = "automatic"        # or jdk, native
 * command = "admin.pem"       # the certificate of commands that read this file; and command-key
 * [access]                    # permissions are enforced if this section is there
 * servers = ["spiffe://prod/corfu/*"]        # the identities of the cluster's servers
 * administrators = ["spiffe://prod/admin"]   # the first administrators
 *
 * [[server]]
 * name = "n1"
 * listen = "127.0.0.1:9001"
 * directory = "n1"            # relative to this file
 * roles = ["sequencer", "layout-server", "log-unit", "views"]   # all but views by default
 * spare = false               # whether its log unit waits until another one fails
 * certificate = "n1.pem"      # instead of that in [certificates]; and key
 * </pre>
 *
 * <p>The first server with the role sequencer serves, and the others stand by. Behind those, every
 * layout server and log unit of a file stands by: the cluster survives its sequencer.
 *
 * @param replicas the number of copies of each entry on log units that hold the log
 * @param streamReplicas the number of copies of each entry in each of its streams, on other log
 *     units; 0 if streams have no replicas of their own
 * @param servers the servers, one or more, with different names and addresses
 * @param mode when a log unit acknowledges a write
 * @param capacityBytes the largest size of all files of one log unit, in bytes
 * @param logFileBytes the largest size of one log file in bytes; less on a small disk
 * @param limits the limits of entries and messages
 * @param supervision how the servers supervise each other
 * @param views the limits of servers with the role views
 * @param scrub how fast log units look for damage on their disks
 * @param security the encryption of connections
 * @param access the identities that servers trust, if permissions are enforced; else empty
 */
public record ClusterConfig(
    int replicas,
    int streamReplicas,
    List<ServerConfig> servers,
    UnitMode mode,
    long capacityBytes,
    int logFileBytes,
    Limits limits,
    Supervision supervision,
    HostOptions views,
    ScrubRate scrub,
    ClusterSecurity security,
    Optional<TrustedIdentities> access) {

  static final int DEFAULT_LOG_FILE_BYTES = 64 << 20;
  static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * The number of log files of a small unit. Its files are small, so that space is freed in small
   * pieces.
   */
  private static final int SEGMENTS_OF_SMALL_UNITS = 64;

  /** The part of the JVM's memory that a unit in memory uses at most, unless configured. */
  private static final int MEMORY_SHARE = 4;

  /**
   * The number of servers with the role sequencer: one serves, and two are the first to replace it.
   */
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
    if (capacityBytes < 4L * logFileBytes) {
      throw new ConfigException(
          "capacity = \""
              + ByteSize.format(capacityBytes)
              + "\" is less than four segment files of "
              + ByteSize.format(logFileBytes)
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

  /** Creates a configuration without TLS, with default views for servers that have this role. */
  public ClusterConfig(
      int replicas,
      int streamReplicas,
      List<ServerConfig> servers,
      UnitMode mode,
      long capacityBytes,
      int logFileBytes,
      Limits limits,
      Supervision supervision) {
    this(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        HostOptions.DEFAULT,
        ScrubRate.DEFAULT,
        ClusterSecurity.NONE,
        Optional.empty());
  }

  /**
   * Reads a TOML file.
   *
   * @throws ConfigException if the file is unreadable or wrong anywhere; unknown keys are wrong
   */
  public static ClusterConfig read(Path file) {
    return ConfigFile.read(file);
  }

  /** Returns the configuration as a file that {@link #read} understands. */
  public String toToml() {
    return ConfigFile.write(this);
  }

  /**
   * Returns a cluster on this machine: servers n1, n2, ... on loopback, all of them log units. The
   * first three are sequencers, and the others stand by behind them. The first three (or one) are
   * layout servers.
   *
   * @param directory the parent of the servers' directories
   * @param firstPort the port of n1; the others follow
   * @param nodes the number of servers
   * @param replicas the number of copies of each entry
   * @param mode when a log unit acknowledges a write
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
        DEFAULT_LOG_FILE_BYTES,
        Limits.DEFAULT,
        Supervision.DEFAULT);
  }

  /** Returns the same configuration with other servers, and this number of copies of each entry. */
  public ClusterConfig withServers(int copies, List<ServerConfig> others) {
    return new ClusterConfig(
        copies,
        streamReplicas,
        others,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        views,
        scrub,
        security,
        access);
  }

  /**
   * Returns the same configuration with this number of copies of each entry in each of its streams,
   * on log units of their own.
   */
  public ClusterConfig withStreamReplicas(int copies) {
    return new ClusterConfig(
        replicas,
        copies,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        views,
        scrub,
        security,
        access);
  }

  /**
   * Returns the same configuration, in which this number of log units, the last ones, are spares.
   */
  public ClusterConfig withSpares(int spares) {
    List<ServerConfig> all = new ArrayList<>(servers);
    List<ServerConfig> units = withRole(servers, RoleKind.LOG_UNIT);
    for (ServerConfig unit : units.subList(Math.max(0, units.size() - spares), units.size())) {
      all.set(all.indexOf(unit), unit.asSpare());
    }
    return withServers(replicas, all);
  }

  /** Returns the same configuration with this capacity of log units, in files of a fitting size. */
  public ClusterConfig withCapacity(long bytes) {
    long fair = Math.max(bytes / SEGMENTS_OF_SMALL_UNITS & -4096L, 4096);
    int segment = (int) Math.min(fair, logFileBytes);
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        bytes,
        segment,
        limits,
        supervision,
        views,
        scrub,
        security,
        access);
  }

  /** Returns the same configuration with other limits. */
  public ClusterConfig withLimits(Limits other) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        other,
        supervision,
        views,
        scrub,
        security,
        access);
  }

  /** Returns the same configuration with another supervision. */
  public ClusterConfig withSupervision(Supervision other) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        other,
        views,
        scrub,
        security,
        access);
  }

  /** Returns the same configuration with permissions, which trust these identities. */
  public ClusterConfig withAccess(TrustedIdentities trusted) {
    return withAccess(Optional.of(trusted));
  }

  /**
   * Returns the same configuration with or without permissions.
   *
   * @param trusted the trusted identities; empty if servers enforce no permissions
   */
  public ClusterConfig withAccess(Optional<TrustedIdentities> trusted) {
    return with(security, trusted);
  }

  private ClusterConfig with(ClusterSecurity encryption, Optional<TrustedIdentities> trusted) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        views,
        scrub,
        encryption,
        trusted);
  }

  /** Returns the same configuration with another scrub rate. */
  public ClusterConfig withScrub(ScrubRate rate) {
    return new ClusterConfig(
        replicas,
        streamReplicas,
        servers,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        views,
        rate,
        security,
        access);
  }

  /** Returns the same configuration with another encryption of connections. */
  public ClusterConfig withSecurity(ClusterSecurity other) {
    return with(other, access);
  }

  /**
   * Returns the same configuration, in which every server hosts views of objects with these limits.
   */
  public ClusterConfig withViews(HostOptions how) {
    List<ServerConfig> all = servers.stream().map(ServerConfig::withViews).toList();
    return new ClusterConfig(
        replicas,
        streamReplicas,
        all,
        mode,
        capacityBytes,
        logFileBytes,
        limits,
        supervision,
        how,
        scrub,
        security,
        access);
  }

  /**
   * Returns the server with a name.
   *
   * @throws ConfigException if there is no such server
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

  /** Returns the servers' names in the form in which servers report them. */
  NodeReply.Names names() {
    return new NodeReply.Names(
        servers.stream()
            .map(server -> new NodeReply.Named(server.listen(), server.name()))
            .toList());
  }

  /** Returns the endpoints of all servers. */
  public List<Endpoint> endpoints() {
    return servers.stream().map(ServerConfig::listen).toList();
  }

  /**
   * Returns the options of this cluster's log units. A small capacity gives small files, so that
   * space is freed in small pieces.
   */
  LogUnitOptions unitOptions() {
    LogUnitOptions defaults =
        mode == UnitMode.MEMORY
            ? LogUnitOptions.inMemory(
                Math.min(capacityBytes, Runtime.getRuntime().maxMemory() / MEMORY_SHARE))
            : LogUnitOptions.onDisk(mode)
                .withLogFileBytes(logFileBytes)
                .withCapacityBytes(capacityBytes);
    return defaults.withLimits(limits).withScrub(scrub);
  }

  /** Returns the first layout of a new cluster with this configuration. */
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

  /** Returns the candidates for the sequencer; servers with this role come first. */
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
