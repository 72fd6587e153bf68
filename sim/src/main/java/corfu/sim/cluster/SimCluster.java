package corfu.sim.cluster;

import corfu.node.ServerConfig;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Wanted;
import corfu.sim.history.CallHistory;
import corfu.sim.watch.ClusterWatch;
import corfu.sim.watch.HostWatch;
import corfu.sim.watch.ServerWatch;
import corfu.sim.watch.StreamWatch;
import corfu.sim.watch.UnitWatch;
import corfu.sim.workload.SimSubscriber;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.workload.object.ObjectWork;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All processes of a run. */
public final class SimCluster {

  private static final long LOOK_AGAIN_NANOS = 10_000_000L;

  private final Simulator simulator;
  private final Map<Endpoint, SimServer> servers = new LinkedHashMap<>();
  private final Map<Endpoint, UnitWatch> unitWatches = new LinkedHashMap<>();
  private final ClusterWatch clusterWatch;
  private final StreamWatch streamWatch;
  private final List<ClientProcess> clients = new ArrayList<>();
  private final List<Operator> operators = new ArrayList<>();
  private final FaultBudget faultBudget;
  private int clones;

  public SimCluster(
      Simulator simulator,
      ClusterShape arrangement,
      WorkloadProfile habits,
      Optional<ObjectWork> objects,
      CallHistory history) {
    this(simulator, arrangement, habits, objects, history, "", Optional.empty());
  }

  /**
   * @param prefix the prefix of the names of processes that are not servers
   * @param first another cluster that its clients are connected to as well
   */
  public SimCluster(
      Simulator simulator,
      ClusterShape arrangement,
      WorkloadProfile habits,
      Optional<ObjectWork> objects,
      CallHistory history,
      String prefix,
      Optional<ClusterShape> first) {
    this.simulator = simulator;
    this.clusterWatch = new ClusterWatch(simulator);
    this.streamWatch = new StreamWatch(simulator);
    HostWatch hostWatch = new HostWatch(simulator);
    for (Endpoint server : arrangement.servers()) {
      UnitWatch unitWatch = new UnitWatch(server.host(), simulator.findings, clusterWatch);
      unitWatches.put(server, unitWatch);
      ServerWatch watch = ServerWatch.all(List.of(clusterWatch, streamWatch, unitWatch, hostWatch));
      ServerConfig config = arrangement.config().server(server.host());
      servers.put(server, new SimServer(simulator, arrangement, config, watch, crashPoint()));
    }
    for (int i = 1; i <= arrangement.clients(); i++) {
      clients.add(
          new ClientProcess(
              simulator,
              arrangement,
              habits,
              objects,
              history,
              clusterWatch,
              streamWatch,
              first,
              prefix + "c" + i,
              crashPoint()));
    }
    operators.add(new Operator(simulator, arrangement, prefix + "op1", crashPoint()));
    operators.add(new Operator(simulator, arrangement, prefix + "op2", crashPoint()));
    faultBudget = new FaultBudget(clusterWatch, unitWatches);
  }

  private CrashPoint crashPoint() {
    return new CrashPoint(clusterWatch::of);
  }

  public List<SimServer> servers() {
    return List.copyOf(servers.values());
  }

  public List<ClientProcess> clients() {
    return clients;
  }

  /** Returns the subscribers that were not notified of their end. */
  public Stream<SimSubscriber> subscribers() {
    return clients.stream().flatMap(client -> client.subscribers().stream());
  }

  public List<Operator> operators() {
    return operators;
  }

  public ClusterWatch watch() {
    return clusterWatch;
  }

  public List<String> names() {
    List<String> names = new ArrayList<>();
    names.addAll(serverNames());
    clients.forEach(client -> names.add(client.name()));
    operators.forEach(operator -> names.add(operator.name()));
    return names;
  }

  public List<String> serverNames() {
    return servers.values().stream().map(SimServer::name).toList();
  }

  /** Returns the budget of permanent losses. */
  public FaultBudget faultBudget() {
    return faultBudget;
  }

  /**
   * Starts a second process on copies of a server's disks, at another address. The caller kills it.
   */
  public SimServer clone(SimServer server) {
    clones++;
    SimServer clone = server.cloned(server.name() + "-" + clones, clusterWatch);
    clone.start();
    return clone;
  }

  /** Kills the server and empties one or both of its disks. */
  public void loseDisks(SimServer server, boolean unit, boolean layout) {
    server.kill();
    if (unit) {
      faultBudget.losesUnitDisk(server.endpoint());
      server.unitDisk().replace();
      watchOf(server).diskIsLost();
    }
    if (layout) {
      faultBudget.losesLayoutDisk(server.endpoint());
      server.layoutDisk().replace();
    }
  }

  /** Notes that the server could not trust a disk, which counts as a lost disk. */
  public void beganAnew(SimServer server, boolean unit) {
    if (unit) {
      faultBudget.losesUnitDisk(server.endpoint());
      watchOf(server).diskIsLost();
    } else {
      faultBudget.losesLayoutDisk(server.endpoint());
    }
  }

  /** Notes that the log unit may fail to read its contents from now on. */
  public void diskMayLie(SimServer server) {
    watchOf(server).diskMayLie();
  }

  /** Notes that the log unit may break from now on. */
  public void diskMayFail(SimServer server) {
    watchOf(server).diskMayFail();
  }

  private UnitWatch watchOf(SimServer server) {
    return unitWatches.getOrDefault(
        server.endpoint(), new UnitWatch(server.name(), simulator.findings, clusterWatch));
  }

  /** Kills the server for good. */
  public void letDie(SimServer server) {
    faultBudget.dies(server.endpoint());
    server.die();
  }

  public void disksMayBeFull() {
    unitWatches.values().forEach(UnitWatch::diskMayBeFull);
  }

  /** Starts the server as soon as its ending life has ended. */
  public void startWhenDown(SimServer server) {
    Optional<ProcessLife> ending = server.life();
    if (ending.isEmpty()) {
      server.start();
    } else if (!server.isServing()) {
      simulator.timeline.after(LOOK_AGAIN_NANOS, () -> startWhenDown(server));
    }
  }

  /**
   * Returns whether the newest layout is as wanted: it has as many log units and replicas as
   * possible, and nothing is left to copy.
   */
  public boolean isWhole() {
    return clusterWatch.newest().map(this::isAsWanted).orElse(false);
  }

  private boolean isAsWanted(Layout layout) {
    Wanted wanted = layout.wanted();
    long living =
        layout.units().stream().filter(unit -> !faultBudget.isDead(unit.endpoint())).count();
    int units = (int) Math.min(wanted.units(), living);
    int replicas = Math.min(wanted.replicas(), units);
    int streamReplicas = Math.min(wanted.streamReplicas(), units - replicas);
    return layout.openSegment().units().size() == units
        && layout.units().stream().noneMatch(Member::retiring)
        && layout.logUnits().stream().noneMatch(faultBudget::isDead)
        && layout.sequencers().stream().limit(1).noneMatch(faultBudget::isDead)
        && layout.segments().stream().noneMatch(LayoutSegment::hasTarget)
        && layout.segments().stream()
            .flatMap(segment -> segment.log().stream())
            .allMatch(chain -> chain.replicas().size() >= replicas)
        && layout.openSegment().serving().hasStreams() == streamReplicas > 0
        && layout.openSegment().stream().stream()
            .allMatch(chain -> chain.replicas().size() >= streamReplicas);
  }

  /** Returns whether no process has anything left to do. */
  public boolean isIdle() {
    return clients.stream().allMatch(ClientProcess::isIdle)
        && operators.stream().allMatch(Operator::isIdle)
        && servers.values().stream()
            .allMatch(server -> server.isServing() || faultBudget.isDead(server.endpoint()));
  }
}
