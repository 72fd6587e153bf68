package corfu.sim;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.sim.Operation.Call;
import corfu.sim.Operation.Outcome;
import corfu.transport.ClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Comes when the faults are over: everything must work now. Appends, reads the whole log, and then
 * looks into every unit, whose replicas must agree (I3).
 */
final class Auditor {

  private static final String NAME = "auditor";
  private static final int PIECE = 50;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Simulator simulator;
  private final Arrangement arrangement;
  private final History history;
  private boolean done;

  Auditor(Simulator simulator, Arrangement arrangement, History history) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.history = history;
  }

  boolean isDone() {
    return done;
  }

  void start() {
    SimWorld world = simulator.born(NAME, 0);
    world.start(
        NAME,
        () -> {
          audit(world);
          done = true;
        });
  }

  private void audit(SimWorld world) {
    SimTransport transport =
        new SimTransport(
            simulator.network,
            world,
            Optional.of(arrangement.layout().clusterId()),
            ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits()));
    CorfuOptions options =
        CorfuOptions.of(arrangement.layoutServers()).withLimits(arrangement.unitOptions().limits());
    Corfu corfu = Corfu.connect(options, world, transport);
    appendOnce(corfu);
    long tail = corfu.log().tail().value();
    for (long from = 0; from < tail; from += PIECE) {
      readAll(corfu, from, Math.min(tail, from + PIECE));
    }
    compareReplicas(corfu.layout(), transport, tail);
  }

  private void appendOnce(Corfu corfu) {
    Outcome outcome =
        history.run(
            NAME,
            new Call.Append(NAME),
            () -> new Outcome.Appended(corfu.log().append(Payloads.of(NAME, 0)).value()));
    if (!(outcome instanceof Outcome.Appended)) {
      simulator.findings.broken("Progress", "nothing is wrong any more, but %s", outcome);
    }
  }

  private void readAll(Corfu corfu, long from, long to) {
    List<Long> addresses = LongStream.range(from, to).boxed().toList();
    Outcome outcome =
        history.run(
            NAME,
            new Call.Read(addresses),
            () -> {
              List<LogEntry> entries = corfu.log().read(new Address(from), new Address(to));
              return new Outcome.Saw(entries.stream().map(History::content).toList());
            });
    if (!(outcome instanceof Outcome.Saw(List<Operation.Content> contents))) {
      simulator.findings.broken(
          "Progress", "nothing is wrong any more, but %s to %s: %s", from, to, outcome);
    } else if (contents.stream().anyMatch(c -> c.kind() == Operation.Content.Kind.UNWRITTEN)) {
      simulator.findings.broken("No hole below the tail", "%s", outcome);
    }
  }

  private void compareReplicas(Layout layout, SimTransport transport, long tail) {
    for (long address = 0; address < tail; address++) {
      Chain chain = layout.chainOf(address);
      List<ReadOutcome> outcomes = new ArrayList<>();
      for (Endpoint replica : chain.replicas()) {
        outcomes.add(read(layout, transport, replica, address));
      }
      long values =
          outcomes.stream().filter(o -> !(o instanceof ReadOutcome.Trimmed)).distinct().count();
      if (values > 1 || outcomes.contains(ReadOutcome.Unwritten.UNWRITTEN)) {
        simulator.findings.broken(
            "I3, chains", "address %s of %s holds %s", address, chain, outcomes);
      }
    }
  }

  private ReadOutcome read(Layout layout, SimTransport transport, Endpoint replica, long address) {
    var request = new LogUnitRequest.Read(layout.epoch(), AddressSet.of(address), 1);
    Reply reply = transport.peer(replica).call(request, TIMEOUT_NANOS);
    if (reply instanceof LogUnitReply.Reads(List<ReadOutcome> outcomes)) {
      return outcomes.getFirst();
    }
    simulator.findings.broken("Progress", "%s answered the auditor with %s", replica, reply);
    return ReadOutcome.Unwritten.UNWRITTEN;
  }
}
