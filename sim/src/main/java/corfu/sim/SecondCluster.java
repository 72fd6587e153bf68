package corfu.sim;

import corfu.sim.cluster.AvailabilityWatch;
import corfu.sim.cluster.ClientProcess;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.fault.FaultPlan;
import corfu.sim.fault.Nemesis;
import corfu.sim.history.CallHistory;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.workload.object.ObjectWork;
import corfu.sim.world.SimRandom;
import corfu.sim.world.Simulator;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A second cluster of a run, with its own clients and faults, in the same network. */
final class SecondCluster {

  private static final String PREFIX = "m";

  private final ClusterShape arrangement;
  private final SimCluster cluster;
  private final Nemesis nemesis;

  SecondCluster(
      Simulator simulator,
      ClusterShape first,
      SimRandom chance,
      ObjectWork work,
      CallHistory history,
      SimulationOptions options) {
    this.arrangement = ClusterShape.of(chance.split(), PREFIX);
    FaultPlan others = FaultPlan.of(chance.split(), options.faults());
    WorkloadProfile habits = WorkloadProfile.of(chance.split());
    FaultPlan plan = others.withFaultsOfClients(chance.split(), options.faults());
    this.cluster =
        new SimCluster(
            simulator, arrangement, habits, Optional.of(work), history, PREFIX, Optional.of(first));
    this.nemesis =
        new Nemesis(
            simulator,
            arrangement,
            cluster,
            plan,
            new AvailabilityWatch(simulator, cluster, arrangement.config().supervision()));
  }

  ClusterShape arrangement() {
    return arrangement;
  }

  void bootstrap() {
    cluster.servers().forEach(SimServer::start);
    cluster.operators().getFirst().bootstrap();
  }

  boolean hasBootstrapped() {
    return cluster.operators().getFirst().hasBootstrapped();
  }

  void start() {
    cluster.clients().forEach(ClientProcess::start);
    nemesis.start();
  }

  void stop() {
    nemesis.stop();
  }

  /** Ends the clients' work. Without agents an operator repairs the cluster. */
  void finish() {
    cluster.clients().forEach(ClientProcess::finish);
    if (!arrangement.hasAgents()) {
      Operator other = cluster.operators().getLast();
      BooleanSupplier isEnough = () -> other.isIdle() && cluster.isWhole();
      cluster.operators().getFirst().mend(isEnough);
    }
  }

  boolean isWhole() {
    return cluster.isWhole();
  }

  boolean isIdle() {
    return cluster.isIdle();
  }
}
