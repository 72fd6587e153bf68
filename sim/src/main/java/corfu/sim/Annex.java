package corfu.sim;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A second cluster of a run, with clients and trouble of its own, in the same network. */
final class Annex {

  private static final String PREFIX = "m";

  private final Arrangement arrangement;
  private final SimCluster cluster;
  private final Nemesis nemesis;

  Annex(
      Simulator simulator,
      Arrangement first,
      Chance chance,
      ObjectWork work,
      History history,
      SimulationOptions options) {
    this.arrangement = Arrangement.of(chance.split(), PREFIX);
    FaultPlan others = FaultPlan.of(chance.split(), options.faults());
    Habits habits = Habits.of(chance.split());
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

  Arrangement arrangement() {
    return arrangement;
  }

  void bootstrap() {
    cluster.servers().forEach(ServerProcess::start);
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

  /** Nothing new is begun from now on, and what is broken is mended. */
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
