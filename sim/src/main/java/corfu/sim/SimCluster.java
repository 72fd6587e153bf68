package corfu.sim;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Segment;
import corfu.protocol.layout.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All processes of a run. */
final class SimCluster {

  private static final long LOOK_AGAIN_NANOS = 10_000_000L;

  private final Simulator simulator;
  private final Map<Endpoint, ServerProcess> servers = new LinkedHashMap<>();
  private final List<UnitWatch> unitWatches = new ArrayList<>();
  private final ClusterWatch clusterWatch;
  private final List<ClientProcess> clients = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();

  SimCluster(Simulator simulator, Arrangement arrangement, History history) {
    this.simulator = simulator;
    this.clusterWatch = new ClusterWatch(simulator);
    for (Endpoint server : arrangement.servers()) {
      UnitWatch unitWatch = new UnitWatch(server.host(), simulator.findings);
      unitWatches.add(unitWatch);
      ServerWatch watch = ServerWatch.all(List.of(clusterWatch, unitWatch));
      servers.put(server, new ServerProcess(simulator, arrangement, server, watch));
    }
    for (int i = 1; i <= arrangement.clients(); i++) {
      clients.add(new ClientProcess(simulator, arrangement, history, "c" + i));
    }
    operators.add(new Operator(simulator, arrangement, "op1"));
    operators.add(new Operator(simulator, arrangement, "op2"));
  }

  List<ServerProcess> servers() {
    return List.copyOf(servers.values());
  }

  List<ClientProcess> clients() {
    return clients;
  }

  List<Operator> operators() {
    return operators;
  }

  ClusterWatch watch() {
    return clusterWatch;
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    servers.values().forEach(server -> names.add(server.name()));
    clients.forEach(client -> names.add(client.name()));
    operators.forEach(operator -> names.add(operator.name()));
    return names;
  }

  void disksMayBeFull() {
    unitWatches.forEach(UnitWatch::diskMayBeFull);
  }

  /** Starts it as soon as its life, which is ending, has ended. */
  void startWhenDown(ServerProcess server) {
    Optional<Life> ending = server.life();
    if (ending.isEmpty()) {
      server.start();
    } else if (!server.isServing()) {
      simulator.timeline.after(LOOK_AGAIN_NANOS, () -> startWhenDown(server));
    }
  }

  /**
   * Whether the newest layout is what is wanted: as many units and replicas as can be had, nothing
   * to be copied.
   */
  boolean isWhole() {
    return clusterWatch.newest().map(SimCluster::isAsWanted).orElse(false);
  }

  private static boolean isAsWanted(Layout layout) {
    Wanted wanted = layout.wanted();
    int units = Math.min(wanted.units(), layout.units().size());
    int replicas = Math.min(wanted.replicas(), units);
    return layout.openSegment().units().size() == units
        && layout.units().stream().noneMatch(Member::retiring)
        && layout.segments().stream().noneMatch(Segment::hasTarget)
        && layout.segments().stream()
            .flatMap(segment -> segment.log().stream())
            .allMatch(chain -> chain.replicas().size() >= replicas);
  }

  /** Whether nobody has anything left to do. */
  boolean isIdle() {
    return clients.stream().allMatch(ClientProcess::isIdle)
        && operators.stream().allMatch(Operator::isIdle)
        && servers.values().stream().allMatch(ServerProcess::isServing);
  }
}
