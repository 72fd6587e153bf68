package corfu.sim.fault;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.sim.cluster.ClientProcess;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.SimCluster;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimNetwork;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Faults between clients and servers that the servers do not notice. */
final class ClientFaults {

  private static final Duration BETWEEN_LIES = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final SimCluster cluster;

  /** Whether a server is cut off from all clients. */
  private boolean isCut;

  ClientFaults(Simulator simulator, ClusterShape arrangement, SimCluster cluster) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.cluster = cluster;
  }

  /**
   * Cuts a server off from all clients. Returns the remedy, or empty if another server is cut off.
   */
  Optional<Runnable> cutFromAll(SimServer server) {
    if (isCut) {
      return Optional.empty();
    }
    isCut = true;
    Set<String> clients =
        cluster.clients().stream().map(ClientProcess::name).collect(Collectors.toSet());
    Runnable mend = cut(clients, server);
    return Optional.of(
        () -> {
          isCut = false;
          mend.run();
        });
  }

  /** Cuts a server off from this client. Returns the remedy. */
  Runnable cutFromOne(ClientProcess client, SimServer server) {
    return cut(Set.of(client.name()), server);
  }

  private Runnable cut(Set<String> clients, SimServer server) {
    simulator.trace.say("nemesis", () -> clients + " do not reach " + server.name());
    SimNetwork.Cut there = new SimNetwork.Cut(clients, Set.of(server.name()));
    SimNetwork.Cut back = new SimNetwork.Cut(Set.of(server.name()), clients);
    simulator.network.cut(there);
    simulator.network.cut(back);
    return () -> {
      simulator.trace.say("nemesis", () -> clients + " reach " + server.name());
      simulator.network.mend(there);
      simulator.network.mend(back);
    };
  }

  /**
   * Has a client report the server as unreachable and all others as reachable. Returns the remedy.
   */
  Runnable lieAbout(SimServer server) {
    SimWorld world = simulator.born(liar(), 0);
    SimTransport way =
        new SimTransport(simulator.network, world, Optional.empty(), ClientOptions.DEFAULT);
    world.start(
        "lies",
        () -> {
          while (true) {
            lie(way, server.endpoint());
            world.pause(BETWEEN_LIES);
          }
        });
    return world.life()::end;
  }

  private void lie(SimTransport way, Endpoint server) {
    List<Endpoint> others = new ArrayList<>(arrangement.layout().servers());
    others.remove(server);
    var report = new LayoutRequest.Report(List.of(server), others);
    for (Endpoint told : arrangement.layoutServers()) {
      var unused = way.peer(told).send(report, TIMEOUT.toNanos());
    }
  }

  /** Returns a name that gives a process the newest protocol version. */
  private String liar() {
    return Stream.iterate(1, i -> i + 1)
        .map(i -> "liar" + i)
        .filter(name -> simulator.network.newestVersionOf(name) == FrameCodec.NEWEST_VERSION)
        .findFirst()
        .orElseThrow();
  }
}
