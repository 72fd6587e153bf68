package corfu.sim;

import corfu.access.StreamNames;
import corfu.access.audit.AuditChain;
import corfu.access.audit.AuditCodec;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditRecord;
import corfu.access.audit.AuditTrail;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimNetwork;
import corfu.sim.world.SimRandom;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A random history of a cluster whose servers write the audit log: a stranger is refused all the
 * while, servers die and return, one server is cut off, epochs change. In the end, all faults are
 * over, and the log is checked.
 */
final class AuditWalk {

  private static final long REQUEST_NANOS = Duration.ofMillis(300).toNanos();

  private final AuditDoor door;
  private final Scenario scenario;
  private final SimRandom chance;
  private final List<String> problems = new ArrayList<>();
  private Optional<SimServer> down = Optional.empty();
  private List<SimNetwork.Cut> cuts = List.of();
  private int processes;
  private long records;

  AuditWalk(long seed, AuditDoor door) {
    this.door = door;
    this.scenario = Scenario.withPermissions(seed, door);
    this.chance = new SimRandom(seed);
  }

  List<String> problems() {
    return problems;
  }

  /** Returns the number of records. */
  long records() {
    return records;
  }

  void run(int steps) {
    for (int step = 0; step < steps; step++) {
      switch (chance.below(5)) {
        case 0, 1 -> scenario.pass(Duration.ofMillis(chance.between(10, 1_000)));
        case 2 -> changeTheEpoch();
        case 3 -> changeAServer();
        default -> changeTheNetwork();
      }
      isRefusedEverywhere();
    }
    down.ifPresent(SimServer::start);
    mend();
    scenario.pass(Duration.ofSeconds(8));
    isRefusedEverywhere();
    scenario.pass(AuditTrail.WINDOW.plusSeconds(5));
    check();
  }

  private void changeTheEpoch() {
    try {
      var unused = scenario.reconfigure(way -> way.renew(scenario.newest()));
    } catch (RuntimeException anAgentWasFaster) {
      scenario.pass(Duration.ofMillis(10));
    }
  }

  private void changeAServer() {
    if (down.isPresent()) {
      down.get().start();
      down = Optional.empty();
      scenario.pass(Duration.ofMillis(chance.between(1, 200)));
    } else {
      down = Optional.of(oneUnit());
      down.get().kill();
    }
  }

  private SimServer oneUnit() {
    return chance.pick(scenario.cluster.servers().stream().filter(SimServer::isLogUnit).toList());
  }

  /** Cuts one server off from all others. */
  private void changeTheNetwork() {
    if (!cuts.isEmpty()) {
      mend();
      return;
    }
    Set<String> alone = Set.of(oneUnit().name());
    Set<String> others = new HashSet<>();
    scenario.cluster.servers().forEach(server -> others.add(server.name()));
    others.removeAll(alone);
    cuts = List.of(new SimNetwork.Cut(alone, others), new SimNetwork.Cut(others, alone));
    cuts.forEach(scenario.simulator.network::cut);
  }

  private void mend() {
    cuts.forEach(scenario.simulator.network::mend);
    cuts = List.of();
  }

  private void isRefusedEverywhere() {
    Epoch epoch = scenario.newest().epoch();
    scenario.runAs(
        AuditDoor.STRANGER + processes++,
        world -> {
          Transport way = scenario.transport(world);
          for (SimServer server : scenario.cluster.servers()) {
            for (int i = chance.below(3); i >= 0; i--) {
              ask(way, server.endpoint(), new NodeRequest.AskAccess());
            }
            ask(way, server.endpoint(), new SequencerRequest.Next(epoch, 1));
          }
          return true;
        });
  }

  private static void ask(Transport way, Endpoint server, Request request) {
    try {
      Reply unused = way.peer(server).call(request, REQUEST_NANOS);
    } catch (TransportException down) {
      return; // the server is not there
    }
  }

  private void check() {
    AuditChain chain = AuditChain.fromBeginning();
    Map<Long, Long> refusals = new HashMap<>();
    Map<String, Long> lives = new HashMap<>();
    for (StreamRead.Entry entry : entries()) {
      chain
          .add(entry.address().value(), entry.payload())
          .ifPresent(broken -> problems.add(broken.toString()));
      AuditRecord record = AuditCodec.decode(entry.payload());
      lives.put(record.server(), record.life());
      refusals.merge(record.life(), refusalsIn(record), Long::sum);
      if (record.dropped() > 0) {
        problems.add("events were dropped: " + record);
      }
    }
    records = chain.count();
    door.refusals()
        .forEach(
            (server, count) -> {
              long told = refusals.getOrDefault(lives.getOrDefault(server, 0L), 0L);
              if (told != count) {
                problems.add("%s has refused %d, and tells of %d".formatted(server, count, told));
              }
            });
  }

  private static long refusalsIn(AuditRecord record) {
    return record.events().stream()
        .map(AuditRecord.Timed::event)
        .filter(event -> event.kind() == AuditEvent.Kind.REFUSED)
        .filter(
            event ->
                event.identity().name().startsWith(SimListener.IDENTITIES + AuditDoor.STRANGER))
        .mapToLong(AuditEvent::count)
        .sum();
  }

  private List<StreamRead.Entry> entries() {
    return scenario.client(
        corfu -> {
          var reader = Streams.over(corfu).open(StreamNames.AUDIT).reader();
          reader.sync();
          return reader.readRest();
        });
  }
}
