package corfu.sim.cluster;

import corfu.node.ClusterConfig;
import corfu.node.RoleKind;
import corfu.node.ServerConfig;
import corfu.node.Supervision;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.roles.logunit.options.FollowerBounds;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.sequencer.SequencerOptions;
import corfu.sim.disk.SimDisk;
import corfu.sim.world.SimRandom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The cluster of a seed. Every server is a log unit, some of them spares. The first servers are
 * layout servers and the last ones sequencers. The first sequencer is on a server of its own, or
 * beside its log unit.
 *
 * @param units the log units, spares last
 * @param sequencers the sequencers, of which the first one serves
 * @param extras running servers that the first layout does not name
 * @param config the configuration of its servers
 * @param clockDriftPerMille the maximum drift of the processes' clocks from true time, in per mille
 * @param hasTroubleAtBirth whether faults begin before the cluster is made
 */
public record ClusterShape(
    List<Endpoint> units,
    List<Endpoint> layoutServers,
    List<Endpoint> sequencers,
    List<Endpoint> extras,
    Layout layout,
    ClusterConfig config,
    LogUnitOptions unitOptions,
    SequencerOptions sequencerOptions,
    int clients,
    int clockDriftPerMille,
    boolean hasTroubleAtBirth) {

  private static final int PORT = 9000;
  private static final int SERVING_MAX = 4;
  private static final int SPARES_MAX = 2;
  private static final int REPLICAS_MAX = 3;
  private static final int STREAM_REPLICAS_MAX = 2;
  private static final int EXTRAS_MAX = 2;

  /** A round of the scrubber takes about as long as a fault. */
  private static final ScrubRate SCRUB = new ScrubRate(4 << 20, Duration.ofMillis(500));

  private static final int MOST_STREAMS = 1_000;

  /** The number of keys whose changes a sequencer remembers: so few that it forgets some. */
  private static final int KEYS_MAX = 30;

  public static ClusterShape of(SimRandom chance) {
    return of(chance, "");
  }

  /**
   * Returns the arrangement of one of several clusters.
   *
   * @param prefix the prefix of the servers' names
   */
  public static ClusterShape of(SimRandom chance, String prefix) {
    int serving = 1 + chance.below(SERVING_MAX);
    int count = serving + (chance.oneIn(2) ? 0 : 1 + chance.below(SPARES_MAX));
    List<Endpoint> units =
        IntStream.rangeClosed(1, count).mapToObj(i -> server(prefix + "s" + i)).toList();
    List<Endpoint> layoutServers = units.subList(0, acceptors(chance, count));
    List<Endpoint> sequencers = sequencers(chance, units, prefix);
    int replicas = 1 + chance.below(Math.min(serving, REPLICAS_MAX));
    ClusterId id = new ClusterId(new UUID(chance.nextLong(), chance.nextLong()));
    Wanted wanted = new Wanted(serving, replicas, streamReplicas(chance, serving - replicas));
    Layout layout = Layout.initial(id, sequencers, layoutServers, units, wanted);
    int logFileBytes = 4096 << chance.below(5);
    LogUnitOptions options =
        LogUnitOptions.onDisk(UnitMode.DURABLE)
            .withLogFileBytes(logFileBytes)
            .withCapacityBytes(SimDisk.DEFAULT_CAPACITY_BYTES / 2)
            .withGatherBytes(chance.oneIn(4) ? 2_000 : 1 << 20)
            .withOpenFiles(1 + chance.below(8))
            .withFollowers(followers(chance))
            .withScrub(SCRUB)
            .withLimits(Limits.ofPayload(1 << 16));
    int drift = chance.oneIn(4) ? 100 : 1;
    List<Endpoint> extras =
        IntStream.rangeClosed(1, chance.below(EXTRAS_MAX + 1))
            .mapToObj(i -> server(prefix + "x" + i))
            .toList();
    return new ClusterShape(
        units,
        layoutServers,
        sequencers,
        extras,
        layout,
        config(layout, extras, options, supervision(chance)),
        options,
        new SequencerOptions(MOST_STREAMS, 1 + (int) chance.mostlyNear(0, KEYS_MAX)),
        1 + chance.below(4),
        drift,
        chance.oneIn(4));
  }

  /** One cluster of three has stream replicas, if it has log units for them. */
  private static int streamReplicas(SimRandom chance, int most) {
    return most > 0 && chance.oneIn(3) ? 1 + chance.below(Math.min(most, STREAM_REPLICAS_MAX)) : 0;
  }

  /** Sometimes leaves hardly any room for followers. */
  private static FollowerBounds followers(SimRandom chance) {
    return chance.oneIn(3)
        ? new FollowerBounds(
            1 + chance.below(4), 1 + chance.below(8), 500 + chance.below(4_000), 6_000)
        : FollowerBounds.DEFAULT;
  }

  private static int acceptors(SimRandom chance, int count) {
    if (count >= 5 && chance.oneIn(3)) {
      return 5;
    }
    return count >= 3 ? 3 : 1;
  }

  /** Chooses the sequencers from the last log unit backwards, or begins with a separate server. */
  private static List<Endpoint> sequencers(SimRandom chance, List<Endpoint> units, String prefix) {
    List<Endpoint> sequencers = new ArrayList<>(units.reversed());
    if (chance.oneIn(2)) {
      sequencers.addFirst(server(prefix + "seq"));
    }
    return sequencers.subList(0, 1 + chance.below(Math.min(sequencers.size(), 3)));
  }

  /**
   * Mostly with leases and agents. Agents suspect soon and trust again soon, because a run is
   * short.
   */
  private static Supervision supervision(SimRandom chance) {
    long leaseMillis = chance.between(150, 500);
    long suspicionMillis = leaseMillis + chance.between(50, 500);
    return new Supervision(
        !chance.oneIn(5),
        Duration.ofMillis(leaseMillis),
        !chance.oneIn(5),
        Duration.ofMillis(Math.max(suspicionMillis, 200)),
        Duration.ofMillis(chance.mostlyNear(100, 3_000)));
  }

  /** Returns the configuration of this layout's servers. */
  public static ClusterConfig config(
      Layout layout, List<Endpoint> extras, LogUnitOptions options, Supervision supervision) {
    List<ServerConfig> servers = new ArrayList<>();
    for (Endpoint server : layout.servers()) {
      Set<RoleKind> roles = EnumSet.noneOf(RoleKind.class);
      if (layout.sequencers().contains(server)) {
        roles.add(RoleKind.SEQUENCER);
      }
      if (layout.layoutServers().contains(server)) {
        roles.add(RoleKind.LAYOUT_SERVER);
      }
      if (layout.units().stream().anyMatch(unit -> unit.endpoint().equals(server))) {
        roles.add(RoleKind.LOG_UNIT);
        roles.add(RoleKind.VIEWS);
      }
      servers.add(
          new ServerConfig(
              server.host(),
              server,
              Path.of(server.host()),
              roles,
              layout.spares().contains(server)));
    }
    for (Endpoint extra : extras) {
      servers.add(newcomerAt(extra));
    }
    return new ClusterConfig(
        layout.wanted().replicas(),
        layout.wanted().streamReplicas(),
        servers,
        options.mode(),
        options.capacityBytes(),
        options.logFileBytes(),
        options.limits(),
        supervision);
  }

  /** Returns the configuration of a server that may become a log unit, a layout server, or both. */
  private static ServerConfig newcomerAt(Endpoint server) {
    Set<RoleKind> roles = EnumSet.of(RoleKind.LOG_UNIT, RoleKind.LAYOUT_SERVER);
    return new ServerConfig(server.host(), server, Path.of(server.host()), roles, true);
  }

  public static Endpoint server(String name) {
    return new Endpoint(name, PORT);
  }

  /** Returns all servers, each once. */
  public List<Endpoint> servers() {
    List<Endpoint> all = new ArrayList<>(layout.servers());
    all.addAll(extras);
    return all;
  }

  /** Returns the servers that clients ask for the layout: all that may ever be layout servers. */
  public List<Endpoint> contacts() {
    List<Endpoint> contacts = new ArrayList<>(layoutServers);
    contacts.addAll(extras);
    return contacts;
  }

  /** Returns the sequencer that serves first. */
  public Endpoint sequencer() {
    return sequencers.getFirst();
  }

  /** Returns whether clients may rely on linearizable reads. */
  public boolean hasLeases() {
    return config.supervision().leases();
  }

  /** Returns whether the servers repair the cluster by themselves. */
  public boolean hasAgents() {
    return config.supervision().agent();
  }

  /** Returns a short description for the head of a trace. */
  public String description() {
    Supervision supervision = config.supervision();
    return units.size()
        + " log units, "
        + layout.spares().size()
        + " of them in reserve, "
        + extras.size()
        + " more, "
        + layout.wanted().replicas()
        + " replicas, "
        + layout.wanted().streamReplicas()
        + " stream replicas, "
        + layoutServers.size()
        + " layout servers, sequencers "
        + sequencers.stream().map(Endpoint::host).toList()
        + (hasLeases() ? ", leases of " + supervision.lease().toMillis() + " ms" : ", no leases")
        + (hasAgents() ? ", agents" : ", no agents")
        + " that suspect after "
        + supervision.suspicion().toMillis()
        + " ms and trust after "
        + supervision.trust().toMillis()
        + " ms, "
        + clients
        + " clients, segments of "
        + unitOptions.logFileBytes()
        + " bytes";
  }
}
