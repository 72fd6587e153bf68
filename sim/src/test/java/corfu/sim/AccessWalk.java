package corfu.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A random history of a cluster with permissions: rights come and go, servers die and return, units
 * are rebuilt, epochs change. Two tenants try to read and append everything all the while.
 */
final class AccessWalk {

  static final List<String> TENANTS = List.of("alice", "bob");
  private static final List<String> STREAMS = List.of("orders", "letters");
  private static final List<Permission> PERMISSIONS = List.of(Permission.READ, Permission.APPEND);
  private static final long REQUEST_NANOS = Duration.ofMillis(300).toNanos();
  private static final Duration TENANTS_PATIENCE = Duration.ofMillis(300);

  /** The numbers of kinds of steps. The last kind is a fault. */
  private static final int ALL = 6;

  private static final int CALM = 5;

  private final Scenario scenario;
  private final AccessWatch watch;
  private final SimRandom chance;
  private final List<AccessWatch.Right> granted = new ArrayList<>();
  private Optional<SimServer> down = Optional.empty();
  private long tail;
  private int processes;

  AccessWalk(long seed, AccessWatch watch) {
    this.watch = watch;
    this.scenario = Scenario.withPermissions(seed, watch);
    this.chance = new SimRandom(seed);
    watch.use(scenario.simulator.timeline::nowNanos);
  }

  /** Takes some steps, or fewer if there is a leak. */
  void run(int steps) {
    run(steps, ALL);
  }

  /** Takes some steps in which no server dies. */
  void runWithoutFaults(int steps) {
    run(steps, CALM);
  }

  private void run(int steps, int kinds) {
    append();
    for (int step = 0; step < steps && watch.leaks().isEmpty(); step++) {
      switch (chance.below(kinds)) {
        case 0 -> append();
        case 1, 2 -> changeARight();
        case 3 -> scenario.pass(Duration.ofMillis(chance.between(10, 2_000)));
        case 4 -> changeTheEpoch();
        default -> changeAServer();
      }
      TENANTS.forEach(this::triesEverything);
    }
  }

  private void append() {
    tail =
        scenario.runAs(
            "admin" + processes++,
            world ->
                Streams.over(connect(world))
                        .open(chance.pick(STREAMS))
                        .append("secret".getBytes(UTF_8))
                        .address()
                        .value()
                    + 1);
  }

  private Corfu connect(SimWorld world) {
    return scenario.connect(world, scenario.transport(world));
  }

  private void changeARight() {
    AccessWatch.Right right =
        new AccessWatch.Right(
            chance.pick(TENANTS), chance.pick(PERMISSIONS), StreamId.named(chance.pick(STREAMS)));
    Grant grant =
        new Grant(
            new Subject.Prefix(SimListener.IDENTITIES + right.tenant()),
            right.permission(),
            new Target.Id(right.stream()));
    if (granted.remove(right)) {
      change(new PolicyCommand.Revoke(grant));
      watch.isRevoked(right);
    } else {
      watch.isBeingGiven(right);
      change(new PolicyCommand.Give(grant));
      granted.add(right);
    }
  }

  private void change(PolicyCommand command) {
    PolicyChange change = new PolicyChange(new Identity("sim/admin"), command);
    tail =
        scenario.runAs(
            "admin" + processes++,
            world ->
                Streams.over(connect(world))
                        .open(StreamNames.POLICY)
                        .append(PolicyCodec.encode(change))
                        .address()
                        .value()
                    + 1);
  }

  private void changeAServer() {
    if (down.isPresent()) {
      down.get().start();
      down = Optional.empty();
      scenario.pass(Duration.ofMillis(chance.between(1, 200)));
    } else {
      SimServer dying =
          chance.pick(scenario.cluster.servers().stream().filter(SimServer::isLogUnit).toList());
      dying.kill();
      down = Optional.of(dying);
    }
  }

  private void changeTheEpoch() {
    if (down.isEmpty()) {
      try {
        var unused = scenario.reconfigure(way -> way.renew(scenario.newest()));
      } catch (RuntimeException anAgentWasFaster) {
        scenario.pass(Duration.ofMillis(10));
      }
    }
  }

  private void triesEverything(String tenant) {
    Epoch epoch = scenario.newest().epoch();
    scenario.runAs(
        tenant + processes++,
        world -> {
          Transport way = scenario.transport(world);
          for (Endpoint server : scenario.arrangement.servers()) {
            ask(way, server, new LogUnitRequest.Read(epoch, all(), 1 << 20));
            ask(way, server, new LogUnitRequest.CopyRange(epoch, 0, tail, 1, 1 << 20));
            for (String stream : STREAMS) {
              StreamId id = StreamId.named(stream);
              ask(way, server, new LogUnitRequest.ReadStream(epoch, id, 0, 0, tail, 1 << 20));
            }
          }
          return true;
        });
    String stream = chance.pick(STREAMS);
    scenario.runAs(
        tenant + processes++,
        world -> {
          CorfuOptions options =
              CorfuOptions.of(scenario.arrangement.layoutServers())
                  .withOperationTimeout(TENANTS_PATIENCE);
          try {
            Corfu corfu = Corfu.connect(options, world, scenario.transport(world));
            var unused = Streams.over(corfu).open(stream).append("mine".getBytes(UTF_8));
          } catch (CorfuException refused) {
            return false;
          }
          return true;
        });
  }

  private AddressSet all() {
    return new AddressSet.Strided(0, 1, (int) tail);
  }

  private static void ask(Transport way, Endpoint server, Request request) {
    try {
      Reply unused = way.peer(server).call(request, REQUEST_NANOS);
    } catch (TransportException down) {
      return; // the server is not there
    }
  }
}
