package corfu.cli.status;

import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ServerNames;
import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The observed state of a cluster at one moment.
 *
 * @param layout the newest layout
 * @param clusterHealth the layout servers' suspicions about its servers
 * @param reports the servers' own reports, in the layout's order
 * @param local the servers' processes, if they run on this machine
 * @param names the names of the servers
 * @param security the encryption of the connections to them
 */
public record ClusterStatus(
    Layout layout,
    ClusterHealth clusterHealth,
    List<ServerReport> reports,
    List<LocalServer> local,
    ServerNames names,
    ConnectionSecurity security) {

  public ClusterStatus {
    reports = List.copyOf(reports);
    local = List.copyOf(local);
  }

  public static ClusterStatus of(AdminClient admin, List<LocalServer> local) {
    List<ServerReport> reports = admin.servers();
    Layout layout = admin.layout();
    ClusterHealth clusterHealth = admin.clusterHealth(layout);
    return new ClusterStatus(
        layout,
        clusterHealth,
        reports,
        local,
        ServerNames.of(local, reports).completedBy(admin, reports),
        ConnectionSecurity.of(admin, layout));
  }

  /** Creates a status without TLS, in which silent servers have only the names of {@code local}. */
  ClusterStatus(
      Layout layout,
      ClusterHealth clusterHealth,
      List<ServerReport> reports,
      List<LocalServer> local) {
    this(
        layout,
        clusterHealth,
        reports,
        local,
        ServerNames.of(local, reports),
        ConnectionSecurity.NONE);
  }

  public Optional<NodeReply.Status> status(Endpoint server) {
    return reports.stream()
        .filter(report -> report.endpoint().equals(server))
        .findFirst()
        .flatMap(ServerReport::status);
  }

  /** Returns the usage of a server's log unit, if it reports one. */
  Optional<LogUnitReply.Usage> usage(Endpoint server) {
    return reports.stream()
        .filter(report -> report.endpoint().equals(server))
        .findFirst()
        .flatMap(ServerReport::usage);
  }

  /** Whether a server does not answer, or the layout servers suspect it. */
  public boolean isDown(Endpoint server) {
    return status(server).isEmpty() || clusterHealth.of(server).suspected();
  }

  /** Whether the layout's sequencer issues tokens. True if the layout has no sequencer. */
  boolean isSequencerServing() {
    return layout.sequencers().stream().limit(1).allMatch(this::servesTokens);
  }

  private boolean servesTokens(Endpoint sequencer) {
    return status(sequencer)
        .filter(status -> status.health().sequencer() == Health.State.SERVING)
        .filter(status -> status.epoch().equals(layout.epoch()))
        .isPresent();
  }

  /** Returns the log units that are down and still in the open segment. */
  List<Endpoint> silentUnits() {
    return layout.openSegment().units().stream().filter(this::isDown).toList();
  }

  /** Returns the state of clients' appends. */
  Appends appends() {
    if (layout.origin().isPresent()) {
      return Appends.REFUSED;
    }
    return isSequencerServing() && silentUnits().isEmpty() ? Appends.TAKEN : Appends.WAITING;
  }

  /** The state of clients' appends. */
  enum Appends {
    TAKEN,
    /** Appends wait until servers return, or until others replace them. */
    WAITING,
    /** The cluster is a mirror, which refuses appends. */
    REFUSED
  }

  /** Returns a cluster health that suspects only servers that do not answer here either. */
  public ClusterHealth sharedSuspicions() {
    Set<Endpoint> silent = new LinkedHashSet<>(layout.servers());
    silent.removeIf(server -> status(server).isPresent());
    return clusterHealth.suspectingOnly(silent);
  }

  /** Returns the progress of each segment's copy, by the segment's start. */
  Map<Long, NodeReply.Rebuild> progress() {
    Map<Long, NodeReply.Rebuild> furthest = new LinkedHashMap<>();
    for (ServerReport report : reports) {
      for (NodeReply.Rebuild rebuild :
          report.status().map(NodeReply.Status::rebuilds).orElse(List.of())) {
        furthest.merge(
            rebuild.start(),
            rebuild,
            (one, other) -> one.copiedTo() < other.copiedTo() ? other : one);
      }
    }
    return furthest;
  }

  /** Returns the spares that can replace a log unit now. */
  public Set<Endpoint> usableSpares() {
    return clusterHealth.usableSpares();
  }

  /** Returns the processes of servers outside the layout. */
  List<LocalServer> strangers() {
    List<LocalServer> strangers = new ArrayList<>(local);
    strangers.removeIf(server -> layout.servers().contains(server.endpoint()));
    return strangers;
  }
}
