package corfu.sim.cluster;

import corfu.node.Supervision;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.roles.sequencer.SequencerOptions;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.sim.history.CallHistory;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A small cluster in simulated time, for tests that measure how long calls last. Its servers become
 * silent to its clients when a test asks for it. No agent repairs the cluster. Not thread-safe.
 */
public final class SilencedCluster {

  private static final long MOST_NANOS = 600_000_000_000L;
  private static final LogUnitOptions UNITS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(1 << 16);
  private static final WorkloadProfile NO_STREAMS = new WorkloadProfile(0, List.of(), 0, 0);

  private final Simulator simulator = new Simulator(1, 0, line -> {});
  private final Endpoint sequencer = new Endpoint("seq", 9000);
  private final List<Endpoint> units =
      IntStream.rangeClosed(1, 3).mapToObj(i -> new Endpoint("s" + i, 9000)).toList();
  private final SimCluster cluster;
  private int clients;

  /** Makes three log units with three replicas of everything, and a sequencer. */
  public SilencedCluster() {
    Layout layout =
        Layout.initial(
            new ClusterId(new UUID(1, 2)), List.of(sequencer), units, units, new Wanted(3, 3));
    ClusterShape arrangement =
        new ClusterShape(
            units,
            units,
            List.of(sequencer),
            List.of(),
            layout,
            ClusterShape.config(layout, List.of(), UNITS, Supervision.DEFAULT.withAgent(false)),
            UNITS,
            SequencerOptions.DEFAULT,
            0,
            0,
            false);
    cluster =
        new SimCluster(
            simulator, arrangement, NO_STREAMS, Optional.empty(), new CallHistory(simulator));
    cluster.servers().forEach(SimServer::start);
    Operator first = cluster.operators().getFirst();
    first.bootstrap();
    until("the cluster is made", first::hasBootstrapped);
  }

  public Endpoint sequencer() {
    return sequencer;
  }

  /** Returns the log units, the head of the chain first. */
  public List<Endpoint> units() {
    return units;
  }

  private void until(String what, BooleanSupplier done) {
    long most = simulator.timeline.nowNanos() + MOST_NANOS;
    Optional<String> problem = simulator.runUntil(done, most, Long.MAX_VALUE);
    if (problem.isPresent()) {
      throw new IllegalStateException(
          "%s: %s: %s".formatted(what, problem.get(), simulator.findings.all()));
    }
  }

  /**
   * Runs a new client in its own thread, waits for the result, and then kills the client's process.
   *
   * @param operationTimeout the client's operation timeout
   * @param body receives the client and its transport to the servers
   */
  public <T> T client(Duration operationTimeout, BiFunction<Corfu, SilencedTransport, T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    SimWorld world = simulator.born("client" + clients++, 0);
    world.start(
        "test",
        () -> {
          try {
            SilencedTransport way =
                new SilencedTransport(
                    world,
                    new SimTransport(
                        simulator.network, world, Optional.empty(), ClientOptions.DEFAULT));
            CorfuOptions options = CorfuOptions.of(units).withOperationTimeout(operationTimeout);
            result.complete(body.apply(Corfu.connect(options, world, way), way));
          } catch (RuntimeException | Error failure) {
            result.completeExceptionally(failure);
          }
        });
    until("a client is done", result::isDone);
    world.life().end();
    return result.join();
  }
}
