package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Reconfiguration;
import corfu.transport.ClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One chain of some log units, in which a test does things step by step. */
final class Scenario {

  private static final long STEP_NANOS = 60_000_000_000L;
  private static final long REQUEST_NANOS = 1_000_000_000L;

  final Simulator simulator = new Simulator(1, 100, line -> {});
  final Arrangement arrangement;
  final SimCluster cluster;
  private final History history = new History(simulator);
  private int processes;

  Scenario(int replicas) {
    List<Endpoint> units =
        IntStream.rangeClosed(1, replicas).mapToObj(i -> new Endpoint("s" + i, 9000)).toList();
    Endpoint sequencer = new Endpoint("seq", 9000);
    Layout all =
        Layout.initial(new ClusterId(new UUID(1, 2)), List.of(sequencer), units, units, replicas);
    LogUnitOptions options = LogUnitOptions.onDisk(UnitMode.DURABLE).withSegmentBytes(1 << 16);
    arrangement =
        new Arrangement(
            units,
            units,
            List.of(sequencer),
            all,
            Arrangement.config(all, options, Supervision.DEFAULT),
            options,
            0,
            0);
    cluster = new SimCluster(simulator, arrangement, history);
    cluster.servers().forEach(ServerProcess::start);
    cluster.operators().getFirst().bootstrap();
    assertThat(
            simulator.runUntil(
                cluster.operators().getFirst()::hasBootstrapped, STEP_NANOS, Long.MAX_VALUE))
        .isEmpty();
  }

  /** The replicas of an address, from head to tail. */
  List<Endpoint> chainOf(long address) {
    return arrangement.layout().chainOf(address).replicas();
  }

  /** Lets a fresh process do this, on a thread of its own, and waits for what comes of it. */
  <T> T run(Function<SimWorld, T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    SimWorld world = simulator.born("test" + processes++, 0);
    world.start("test", () -> result.complete(body.apply(world)));
    long until = simulator.timeline.nowNanos() + STEP_NANOS;
    assertThat(simulator.runUntil(result::isDone, until, Long.MAX_VALUE))
        .as(() -> simulator.findings.all() + "\n" + simulator.trace.lastLines())
        .isEmpty();
    return result.join();
  }

  /** Lets a client do this. */
  <T> T client(Function<Corfu, T> body) {
    return run(
        world ->
            body.apply(
                Corfu.connect(CorfuOptions.of(arrangement.units()), world, transport(world))));
  }

  Address append(String payload) {
    return client(corfu -> corfu.log().append(Payloads.of(payload, 0)));
  }

  /** Asks a server directly. */
  Reply ask(Endpoint server, Request request) {
    return run(world -> transport(world).peer(server).call(request, REQUEST_NANOS));
  }

  /** Lets an operator do this. */
  Layout reconfigure(Function<Reconfiguration, Layout> body) {
    return run(
        world ->
            body.apply(
                new Reconfiguration(
                    world, transport(world), Duration.ofSeconds(1), Duration.ofSeconds(10))));
  }

  ServerProcess server(Endpoint endpoint) {
    return cluster.servers().stream()
        .filter(server -> server.name().equals(endpoint.host()))
        .findFirst()
        .orElseThrow();
  }

  private SimTransport transport(SimWorld world) {
    return new SimTransport(simulator.network, world, Optional.empty(), ClientOptions.DEFAULT);
  }
}
