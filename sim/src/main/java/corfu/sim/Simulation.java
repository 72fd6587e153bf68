package corfu.sim;

import corfu.sim.application.Application;
import corfu.sim.audit.Auditor;
import corfu.sim.check.LogChecker;
import corfu.sim.check.ObjectChecker;
import corfu.sim.check.RegisterChecker;
import corfu.sim.check.StreamChecker;
import corfu.sim.cluster.AvailabilityWatch;
import corfu.sim.cluster.ClientProcess;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.fault.FaultPlan;
import corfu.sim.fault.FaultRate;
import corfu.sim.fault.Nemesis;
import corfu.sim.history.CallHistory;
import corfu.sim.history.CollectionHistories;
import corfu.sim.history.ComposedHistories;
import corfu.sim.history.ObjectCalls;
import corfu.sim.history.RecordedCall;
import corfu.sim.workload.AppWork;
import corfu.sim.workload.SimSubscriber;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.workload.object.ObjectWork;
import corfu.sim.workload.object.ObjectWorkloadProfile;
import corfu.sim.world.SimRandom;
import corfu.sim.world.Simulator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One run of a whole cluster on one seed. It makes a cluster, has clients use it, and injects
 * faults. In the end everything must be complete within bounded simulated time. All results of
 * clients' calls and all of the servers' replies must agree with the invariants of docs/design.md,
 * section 8.
 *
 * <p>It needs the JVM flag {@code --add-opens java.base/java.lang=ALL-UNNAMED}. It also needs room
 * for direct memory: a run with thousands of kills uses a gigabyte ({@code
 * -XX:MaxDirectMemorySize=2g}).
 *
 * <p>Many runs in one JVM need {@code -Djdk.trackAllThreads=false}. Otherwise the JDK keeps the
 * threads of killed processes until memory is exhausted.
 */
public final class Simulation {

  private static final long SECOND = 1_000_000_000L;

  /** The bound on making a cluster without faults. */
  private static final long BOOTSTRAP_NANOS = 30 * SECOND;

  /** How long clients continue after the faults. */
  private static final long AFTERMATH_NANOS = 2 * SECOND;

  /** The time after which even the slowest network has delivered all messages. */
  private static final long STRAGGLERS_NANOS = 10 * SECOND;

  /**
   * The bound for everything begun to end after that. The operation that began last has 10 s, and
   * reading a range may need several of these.
   */
  private static final long SETTLE_NANOS = 60 * SECOND;

  /**
   * The bound for the layout to become as wanted after that. A server that was often dropped must
   * live as long as a whole run before it is used again. Then its missing entries are copied.
   */
  private static final long WHOLE_NANOS = 120 * SECOND;

  private static final long AUDIT_NANOS = 60 * SECOND;

  /**
   * The bound on the final delivery: by then subscribers have received all entries, and closed ones
   * have been notified.
   */
  private static final long DELIVERY_NANOS = 10 * SECOND;

  /** Far more events than any run needs: a run with so many is in an endless loop. */
  private static final long EVENTS_MAX = 20_000_000;

  private static final long LEFT_BYTES_MAX = 128 << 20;

  /** The number of trace lines in the report of a failed run. */
  private static final int TRACE_LINES = 400;

  /** Derives a separate random generator from a seed. */
  private static final long FAULTS_OF_CLIENTS = 0x636c69656e7473L;

  private final long seed;
  private final SimulationOptions options;
  private final Simulator simulator;
  private final CallHistory history;
  private final ClusterShape arrangement;
  private final WorkloadProfile habits;
  private final Optional<ObjectWork> objects;
  private final FaultPlan plan;
  private final SimCluster cluster;
  private final AvailabilityWatch availability;
  private final Nemesis nemesis;
  private final Optional<SecondCluster> secondCluster;
  private final Auditor auditor;

  private Simulation(long seed, SimulationOptions options) {
    this.seed = seed;
    this.options = options;
    this.simulator = new Simulator(seed, options.traceLines(), options.trace());
    this.history = new CallHistory(simulator);
    this.arrangement = ClusterShape.of(simulator.chance.split());
    FaultPlan varied =
        FaultPlan.of(simulator.chance.split(), options.faults())
            .withFaultsOfClients(new SimRandom(seed ^ FAULTS_OF_CLIENTS), options.faults());
    this.plan = options.pace() == FaultRate.SLOW ? varied.slowed() : varied;
    this.habits = WorkloadProfile.of(simulator.chance.split());
    this.objects = objects(seed);
    this.cluster = new SimCluster(simulator, arrangement, habits, objects, history);
    this.availability =
        new AvailabilityWatch(simulator, cluster, arrangement.config().supervision());
    this.nemesis = new Nemesis(simulator, arrangement, cluster, plan, availability);
    this.secondCluster = secondCluster(seed);
    this.auditor =
        new Auditor(
            simulator,
            arrangement,
            habits,
            objects,
            secondCluster.map(SecondCluster::arrangement),
            history);
  }

  /** Has its own random generator, as every part that not all runs have. */
  private Optional<SecondCluster> secondCluster(long seed) {
    boolean isThere = options.application().filter(Application::hasSecondCluster).isPresent();
    return isThere
        ? Optional.of(
            new SecondCluster(
                simulator,
                arrangement,
                new SimRandom(~seed),
                objects.orElseThrow(),
                history,
                options))
        : Optional.empty();
  }

  private Optional<ObjectWork> objects(long seed) {
    SimRandom dice = Work.dice(seed);
    if (!options.work().isOnObjects(dice) && options.application().isEmpty()) {
      return Optional.empty();
    }
    ObjectCalls history = new ObjectCalls(simulator, arrangement.hasLeases());
    Optional<CollectionHistories> collections =
        options.work() == Work.COLLECTIONS
            ? Optional.of(new CollectionHistories(history))
            : Optional.empty();
    Optional<ComposedHistories> composed =
        options.work() == Work.COMPOSED
            ? Optional.of(new ComposedHistories(history))
            : Optional.empty();
    Optional<AppWork> app = options.application().map(one -> new AppWork(one, simulator, history));
    return Optional.of(
        new ObjectWork(ObjectWorkloadProfile.of(dice), history, collections, composed, app));
  }

  /**
   * Runs a seed. If the run fails, it is repeated with a trace, which the report then contains.
   *
   * @throws IllegalStateException if the JVM lacks the required flag
   */
  public static SimulationReport run(long seed, SimulationOptions options) {
    collectWhatTheDeadLeft();
    SimulationReport report = new Simulation(seed, options).run();
    if (report.isClean() || options.traceLines() > 0) {
      return report;
    }
    return new Simulation(seed, options.withTrace(TRACE_LINES, line -> {})).run();
  }

  /**
   * Collects direct buffers of killed processes, which only a garbage collection frees. If no room
   * were left during a run, the JDK would let the simulated thread sleep in real time. The run
   * would then differ.
   */
  private static void collectWhatTheDeadLeft() {
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct") && pool.getMemoryUsed() > LEFT_BYTES_MAX) {
        System.gc();
      }
    }
  }

  private SimulationReport run() {
    simulator.trace.say("seed " + seed, this::description);
    boolean complete = bootstrap() && useWithFaults() && settle() && audit();
    boolean upToDate = arrangement.hasLeases();
    if (complete && objects.isPresent()) {
      new ObjectChecker(simulator.findings, objects.get().history(), upToDate).check();
      if (upToDate) {
        objects.get().collections().ifPresent(all -> all.check(simulator.findings));
        objects.get().composed().ifPresent(all -> all.check(simulator.findings));
      }
      objects.get().app().ifPresent(app -> app.play().check());
    } else if (complete) {
      new LogChecker(simulator.findings, history.operations(), upToDate).check();
      new StreamChecker(simulator.findings, history.operations(), upToDate).check();
      if (upToDate) {
        new RegisterChecker(simulator.findings, history.operations()).check();
      }
    }
    return report();
  }

  private String description() {
    String what = objects.map(work -> work.habits().toString()).orElseGet(habits::toString);
    return arrangement.description() + "; " + what + "; " + plan;
  }

  private boolean bootstrap() {
    cluster.servers().forEach(SimServer::start);
    Operator first = cluster.operators().getFirst();
    first.bootstrap();
    secondCluster.ifPresent(SecondCluster::bootstrap);
    if (arrangement.hasTroubleAtBirth()) {
      nemesis.start();
      pass(simulator.chance.mostlyNear(0, options.faultsFor().toNanos()));
    }
    BooleanSupplier isMade =
        () ->
            first.hasBootstrapped()
                && secondCluster.stream().allMatch(SecondCluster::hasBootstrapped);
    return isMade.getAsBoolean()
        || (arrangement.hasTroubleAtBirth() && pass(options.faultsFor().toNanos()))
        || within(BOOTSTRAP_NANOS, "making the cluster", isMade);
  }

  private boolean useWithFaults() {
    cluster.clients().forEach(ClientProcess::start);
    watchAvailability();
    nemesis.start();
    secondCluster.ifPresent(SecondCluster::start);
    long longest = Math.max(SECOND, options.faultsFor().toNanos());
    return pass(
        options.pace() == FaultRate.SLOW ? longest : simulator.chance.mostlyNear(SECOND, longest));
  }

  /**
   * Without agents, operators repair the cluster only at the end: so availability is not checked.
   */
  private void watchAvailability() {
    if (arrangement.hasAgents()) {
      history.observedBy(availability);
      objects.ifPresent(work -> work.history().observedBy(availability));
      availability.start();
    }
  }

  private boolean settle() {
    availability.stop();
    nemesis.stop();
    secondCluster.ifPresent(SecondCluster::stop);
    if (!pass(AFTERMATH_NANOS)) {
      return false;
    }
    cluster.clients().forEach(ClientProcess::finish);
    if (!arrangement.hasAgents()) {
      Operator other = cluster.operators().getLast();
      cluster.operators().getFirst().mend(() -> other.isIdle() && cluster.isWhole());
    }
    secondCluster.ifPresent(SecondCluster::finish);
    BooleanSupplier isWhole =
        () -> cluster.isWhole() && secondCluster.stream().allMatch(SecondCluster::isWhole);
    BooleanSupplier isIdle =
        () -> cluster.isIdle() && secondCluster.stream().allMatch(SecondCluster::isIdle);
    return pass(STRAGGLERS_NANOS)
        && within(WHOLE_NANOS, "mending the cluster", isWhole)
        && within(SETTLE_NANOS, "ending what clients had begun", isIdle);
  }

  private boolean audit() {
    auditor.start();
    return within(AUDIT_NANOS, "the final audit", auditor::isDone)
        && lookAtObjects()
        && endSubscriptions();
  }

  /** Without leases a client may still read an earlier state. */
  private boolean lookAtObjects() {
    if (objects.isEmpty() || !arrangement.hasLeases()) {
      return true;
    }
    cluster.clients().forEach(ClientProcess::lookAtObjects);
    return within(AUDIT_NANOS, "looking at objects", cluster::isIdle);
  }

  private boolean endSubscriptions() {
    cluster.clients().forEach(client -> client.forSubscribers(SimSubscriber::calmDown));
    if (!within(
        DELIVERY_NANOS,
        "giving subscribers what there is",
        () -> cluster.subscribers().allMatch(one -> one.hasReached(endOf(one))))) {
      return false;
    }
    cluster.clients().forEach(client -> client.forSubscribers(SimSubscriber::close));
    return within(
        DELIVERY_NANOS, "closing subscriptions", () -> cluster.subscribers().findAny().isEmpty());
  }

  private long endOf(SimSubscriber subscriber) {
    return auditor.ends().getOrDefault(subscriber.call().stream(), 0L);
  }

  private boolean pass(long nanos) {
    boolean[] passed = {false};
    simulator.timeline.after(nanos, () -> passed[0] = true);
    return simulator
        .runUntil(() -> passed[0], Long.MAX_VALUE, EVENTS_MAX)
        .map(this::stalled)
        .isEmpty();
  }

  private boolean within(long nanos, String what, BooleanSupplier done) {
    long until = simulator.timeline.nowNanos() + nanos;
    Optional<String> obstacle = simulator.runUntil(done, until, EVENTS_MAX);
    obstacle.ifPresent(why -> stalled(what + " did not come to an end: " + why));
    return obstacle.isEmpty();
  }

  private String stalled(String why) {
    if (simulator.findings.isEmpty()) {
      simulator.findings.broken("Progress", "%s", why);
      history.operations().stream()
          .filter(RecordedCall::isPending)
          .limit(5)
          .forEach(operation -> simulator.findings.broken("Progress", "pending: %s", operation));
      cluster
          .subscribers()
          .filter(one -> !one.hasReached(endOf(one)))
          .limit(5)
          .forEach(one -> simulator.findings.broken("Progress", "subscribed: %s", one));
      cluster
          .watch()
          .newest()
          .ifPresent(layout -> simulator.findings.broken("Progress", "newest layout: %s", layout));
    }
    return why;
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>(history.counts());
    objects.ifPresent(work -> counts.putAll(work.history().counts()));
    return counts;
  }

  private SimulationReport report() {
    simulator.reached.merge(
        SimulationReport.LONGEST_OUTAGE,
        (int) (availability.longestNanos() / 1_000_000),
        Math::max);
    return new SimulationReport(
        seed,
        description(),
        Duration.ofNanos(simulator.timeline.nowNanos()),
        simulator.timeline.happened(),
        nemesis.injected(),
        counts(),
        simulator.reached,
        simulator.findings.all(),
        simulator.trace.hash(),
        simulator.trace.lastLines());
  }
}
