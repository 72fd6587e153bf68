package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.node.ClusterConfig;
import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.sequencer.SequencerOptions;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One chain of some log units, which a test uses step by step. */
final class Scenario {

  private static final long STEP_NANOS = 60_000_000_000L;
  private static final long REQUEST_NANOS = 1_000_000_000L;
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(1 << 16);
  private static final WorkloadProfile NO_STREAMS = new WorkloadProfile(0, List.of(), 0, 0);

  final Simulator simulator;
  final ClusterShape arrangement;
  final SimCluster cluster;
  private final CallHistory history;
  private int processes;

  /** Makes a chain of this many units, and no agent that repairs the cluster. */
  Scenario(int replicas) {
    this(replicas, replicas, 0, 1, Supervision.DEFAULT.withAgent(false));
  }

  /**
   * @param units the number of log units with the log; the first three are layout servers
   * @param spares the number of further log units
   * @param sequencers the number of servers that are only sequencers
   */
  Scenario(int units, int replicas, int spares, int sequencers, Supervision supervision) {
    this(new Wanted(units, replicas), spares, sequencers, supervision);
  }

  /** The same with stream replicas, if wanted. */
  Scenario(Wanted wanted, int spares, int sequencers, Supervision supervision) {
    this(wanted, spares, sequencers, supervision, OPTIONS);
  }

  /** Makes as many chains of two as the units allow; each unit may gather only this many bytes. */
  static Scenario ofUnitsThatGather(int units, long gatherBytes) {
    return new Scenario(
        new Wanted(units, 2),
        0,
        1,
        Supervision.DEFAULT.withAgent(false),
        OPTIONS.withGatherBytes(gatherBytes));
  }

  /** Makes units that are scrubbed five times a second. */
  static Scenario ofScrubbedUnits(int units, int replicas, Supervision supervision) {
    ScrubRate rate = new ScrubRate(4 << 20, Duration.ofMillis(200));
    return new Scenario(new Wanted(units, replicas), 0, 1, supervision, OPTIONS.withScrub(rate));
  }

  private Scenario(
      Wanted wanted, int spares, int sequencers, Supervision supervision, LogUnitOptions options) {
    this(1, wanted, spares, sequencers, supervision, options, config -> config, server -> {});
  }

  /**
   * Makes a cluster that enforces permissions, with two spare units. Processes whose names begin
   * with {@code admin}, {@code test} or {@code op} are administrators.
   *
   * @param door the door before each server
   */
  static Scenario withPermissions(long seed, SimServer.FrontDoor door) {
    return withPermissions(seed, 1, door);
  }

  /** The same with several servers that are only sequencers. */
  static Scenario withPermissions(long seed, int sequencers, SimServer.FrontDoor door) {
    TrustedIdentities trusted =
        new TrustedIdentities(identities("s*", "seq*"), identities("admin*", "test*", "op*"));
    return new Scenario(
        seed,
        new Wanted(3, 2),
        2,
        sequencers,
        Supervision.DEFAULT.withTrust(Duration.ofMillis(300)),
        OPTIONS,
        config -> config.withAccess(trusted),
        server -> server.isBehind(door));
  }

  private static List<Subject> identities(String... processes) {
    return Stream.of(processes)
        .map(process -> Subject.parse(SimListener.IDENTITIES + process))
        .toList();
  }

  private Scenario(
      long seed,
      Wanted wanted,
      int spares,
      int sequencers,
      Supervision supervision,
      LogUnitOptions options,
      UnaryOperator<ClusterConfig> change,
      Consumer<SimServer> beforeStart) {
    simulator = new Simulator(seed, 100, line -> {});
    history = new CallHistory(simulator);
    List<Endpoint> all = named("s", wanted.units() + spares);
    List<Endpoint> acceptors = all.subList(0, Math.min(3, all.size()));
    List<Endpoint> counters = named("seq", sequencers);
    Layout layout = Layout.initial(new ClusterId(new UUID(1, 2)), counters, acceptors, all, wanted);
    arrangement =
        new ClusterShape(
            all,
            acceptors,
            counters,
            List.of(),
            layout,
            change.apply(ClusterShape.config(layout, List.of(), options, supervision)),
            options,
            SequencerOptions.DEFAULT,
            0,
            0,
            false);
    cluster = new SimCluster(simulator, arrangement, NO_STREAMS, Optional.empty(), history);
    if (arrangement.config().access().isPresent()) { // servers of earlier versions have none
      Set<String> servers =
          cluster.servers().stream().map(SimServer::name).collect(Collectors.toSet());
      simulator.network.upgrade(servers::contains);
    }
    cluster.servers().forEach(beforeStart);
    cluster.servers().forEach(SimServer::start);
    Operator first = cluster.operators().getFirst();
    first.bootstrap();
    until("the cluster is made", first::hasBootstrapped);
    newest().logUnits().forEach(this::awaitLease);
  }

  /** Waits until the unit answers reads, shortly after it has received the layout. */
  private void awaitLease(Endpoint unit) {
    var read = new LogUnitRequest.Read(newest().epoch(), AddressSet.of(0), 1);
    for (int tries = 0; ask(unit, read) instanceof Failure.NotServing; tries++) {
      assertThat(tries).as(() -> unit + " has no lease").isLessThan(100);
      pass(Duration.ofMillis(5));
    }
  }

  private static List<Endpoint> named(String name, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> new Endpoint(name + (name.equals("seq") && count == 1 ? "" : i), 9000))
        .toList();
  }

  /** Runs events until the condition holds. */
  void until(String what, BooleanSupplier done) {
    long most = simulator.timeline.nowNanos() + STEP_NANOS;
    assertThat(simulator.runUntil(done, most, Long.MAX_VALUE))
        .as(() -> what + ": " + simulator.findings.all() + "\n" + simulator.trace.lastLines())
        .isEmpty();
  }

  /** Runs events for this time. */
  void pass(Duration time) {
    boolean[] passed = {false};
    simulator.timeline.after(time.toNanos(), () -> passed[0] = true);
    until("time passes", () -> passed[0]);
  }

  /** Returns the newest layout that any server was told. */
  Layout newest() {
    return cluster.watch().newest().orElseThrow();
  }

  /** Returns the replicas of an address, from head to tail. */
  List<Endpoint> chainOf(long address) {
    return arrangement.layout().chainOf(address).replicas();
  }

  /** Runs a new process in its own thread, and waits for the result. */
  <T> T run(Function<SimWorld, T> body) {
    return runAs("test" + processes++, body);
  }

  /** The same as a process of this name. */
  <T> T runAs(String name, Function<SimWorld, T> body) {
    CompletableFuture<T> result = begin(name, body);
    long until = simulator.timeline.nowNanos() + STEP_NANOS;
    assertThat(simulator.runUntil(result::isDone, until, Long.MAX_VALUE))
        .as(() -> simulator.findings.all() + "\n" + simulator.trace.lastLines())
        .isEmpty();
    return result.join();
  }

  /** Starts a new process without waiting. For tests in the middle of another step. */
  <T> CompletableFuture<T> begin(Function<SimWorld, T> body) {
    return begin("test" + processes++, body);
  }

  /** The same as a process of this name. */
  <T> CompletableFuture<T> begin(String name, Function<SimWorld, T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    SimWorld world = simulator.born(name, 0);
    world.start(
        "test",
        () -> {
          try {
            result.complete(body.apply(world));
          } catch (RuntimeException | AssertionError failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  /** Runs a client. */
  <T> T client(Function<Corfu, T> body) {
    return run(world -> body.apply(connect(world, transport(world))));
  }

  /** Runs a client whose requests the test can intercept. */
  <T> T client(BiFunction<Corfu, TestWay, T> body) {
    return run(
        world -> {
          TestWay way = new TestWay(transport(world));
          return body.apply(connect(world, way), way);
        });
  }

  /** Starts another client without waiting. For tests in the middle of another step. */
  <T> CompletableFuture<T> another(Function<Corfu, T> body) {
    return begin(world -> body.apply(connect(world, transport(world))));
  }

  Corfu connect(SimWorld world, Transport way) {
    return Corfu.connect(CorfuOptions.of(arrangement.layoutServers()), world, way);
  }

  Address append(String payload) {
    return client(corfu -> corfu.log().append(Payloads.of(payload, 0)));
  }

  /** Sends a request directly to a server. */
  Reply ask(Endpoint server, Request request) {
    return run(world -> transport(world).peer(server).call(request, REQUEST_NANOS));
  }

  /** Runs an operator. */
  Layout reconfigure(Function<Reconfiguration, Layout> body) {
    return reconfigureAs("test" + processes++, body);
  }

  /** The same as an operator of this name. */
  Layout reconfigureAs(String name, Function<Reconfiguration, Layout> body) {
    return runAs(name, world -> body.apply(reconfiguration(world)));
  }

  /** Starts an operator without waiting. For tests in the middle of another step. */
  CompletableFuture<Layout> anotherReconfigures(Function<Reconfiguration, Layout> body) {
    return begin(world -> body.apply(reconfiguration(world)));
  }

  private Reconfiguration reconfiguration(SimWorld world) {
    return new Reconfiguration(
        world, transport(world), Duration.ofSeconds(1), Duration.ofSeconds(10));
  }

  SimServer server(Endpoint endpoint) {
    return cluster.servers().stream()
        .filter(server -> server.name().equals(endpoint.host()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns a process's transport to the servers. */
  SimTransport transport(SimWorld world) {
    return new SimTransport(simulator.network, world, Optional.empty(), ClientOptions.DEFAULT);
  }
}
