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
 * What can be seen of a cluster at one moment.
 *
 * @param layout the newest one
 * @param clusterHealth what the layout servers think of its servers
 * @param reports what the servers say themselves, in the layout's order
 * @param local their processes, where they are processes of this machine
 * @param names what people call them
 */
public record ClusterStatus(
    Layout layout,
    ClusterHealth clusterHealth,
    List<ServerReport> reports,
    List<LocalServer> local,
    ServerNames names) {

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
        ServerNames.of(local, reports).completedBy(admin, reports));
  }

  /** Where the servers that do not answer have names only as {@code local} says. */
  ClusterStatus(
      Layout layout,
      ClusterHealth clusterHealth,
      List<ServerReport> reports,
      List<LocalServer> local) {
    this(layout, clusterHealth, reports, local, ServerNames.of(local, reports));
  }

  public Optional<NodeReply.Status> status(Endpoint server) {
    return reports.stream()
        .filter(report -> report.endpoint().equals(server))
        .findFirst()
        .flatMap(ServerReport::status);
  }

  /** What the log unit there holds, where it says so. */
  Optional<LogUnitReply.Usage> usage(Endpoint server) {
    return reports.stream()
        .filter(report -> report.endpoint().equals(server))
        .findFirst()
        .flatMap(ServerReport::usage);
  }

  /** Whether it does not answer, or the layout servers have not heard of it for too long. */
  public boolean isDown(Endpoint server) {
    return status(server).isEmpty() || clusterHealth.of(server).suspected();
  }

  /** Whether the sequencer of the layout issues tokens; so it is where the layout has none. */
  boolean isSequencerServing() {
    return layout.sequencers().stream().limit(1).allMatch(this::servesTokens);
  }

  private boolean servesTokens(Endpoint sequencer) {
    return status(sequencer)
        .filter(status -> status.health().sequencer() == Health.State.SERVING)
        .filter(status -> status.epoch().equals(layout.epoch()))
        .isPresent();
  }

  /** The log units that appends still go to though they are down. */
  List<Endpoint> silentUnits() {
    return layout.openSegment().units().stream().filter(this::isDown).toList();
  }

  /** What becomes of the appends of clients. */
  Appends appends() {
    if (layout.origin().isPresent()) {
      return Appends.REFUSED;
    }
    return isSequencerServing() && silentUnits().isEmpty() ? Appends.TAKEN : Appends.WAITING;
  }

  /** What becomes of an append. */
  enum Appends {
    TAKEN,
    /** Until servers have come back, or others have taken their place. */
    WAITING,
    /** The cluster is a mirror. */
    REFUSED
  }

  /** The cluster health where only those are under suspicion that do not answer here either. */
  public ClusterHealth sharedSuspicions() {
    Set<Endpoint> silent = new LinkedHashSet<>(layout.servers());
    silent.removeIf(server -> status(server).isPresent());
    return clusterHealth.suspectingOnly(silent);
  }

  /** How far the copying to each segment's target has come, by the segment's start. */
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

  /** The spares that could take a part at once. */
  public Set<Endpoint> usableSpares() {
    return clusterHealth.usableSpares();
  }

  /** The processes of servers that the layout does not name. */
  List<LocalServer> strangers() {
    List<LocalServer> strangers = new ArrayList<>(local);
    strangers.removeIf(server -> layout.servers().contains(server.endpoint()));
    return strangers;
  }
}
