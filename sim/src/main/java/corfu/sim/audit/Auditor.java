package corfu.sim.audit;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.sim.application.ApplicationClient;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.workload.WorkloadProfile;
import corfu.sim.workload.object.ObjectWork;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Audits the cluster after all faults, when everything must work. It appends, reads the whole log,
 * compares the contents of all replicas (I3), and compares the streams.
 */
public final class Auditor {

  private static final int PIECE = 50;

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final WorkloadProfile habits;
  private final Optional<ObjectWork> objects;
  private final Optional<ClusterShape> second;
  private final CallHistory history;
  private Map<StreamId, Long> ends = Map.of();
  private boolean done;

  public Auditor(
      Simulator simulator,
      ClusterShape arrangement,
      WorkloadProfile habits,
      Optional<ObjectWork> objects,
      Optional<ClusterShape> second,
      CallHistory history) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.habits = habits;
    this.objects = objects;
    this.second = second;
    this.history = history;
  }

  public boolean isDone() {
    return done;
  }

  /** Returns the address behind the last entry of each stream, once the audit is done. */
  public Map<StreamId, Long> ends() {
    return ends;
  }

  public void start() {
    SimWorld world = simulator.born(CallHistory.AUDITOR, 0);
    world.start(
        CallHistory.AUDITOR,
        () -> {
          audit(world);
          done = true;
        });
  }

  private void audit(SimWorld world) {
    SimTransport transport = transport(world, arrangement);
    Corfu corfu = connect(world, arrangement, transport);
    appendOnce(corfu);
    NavigableMap<Long, LogEntry> log = new TreeMap<>();
    long tail = corfu.log().tail().value();
    for (long from = 0; from < tail; from += PIECE) {
      readAll(corfu, from, Math.min(tail, from + PIECE), log);
    }
    Inspection inspection = new Inspection(simulator.findings, world, transport);
    new ReplicaComparison(simulator.findings, inspection).compare(corfu, tail);
    StreamAudit streams = new StreamAudit(simulator.findings, history, inspection, log);
    if (objects.isEmpty()) {
      streams.checkWishes();
    }
    ends = streams.audit(corfu, Set.copyOf(habits.streams()));
    ApplicationClient seat = seat(world, transport, corfu);
    objects.ifPresent(work -> new ObjectAudit(work).audit(seat));
  }

  private SimTransport transport(SimWorld world, ClusterShape where) {
    return new SimTransport(
        simulator.network,
        world,
        Optional.of(where.layout().clusterId()),
        ClientOptions.DEFAULT.withLimits(where.unitOptions().limits()));
  }

  private static Corfu connect(SimWorld world, ClusterShape where, Transport way) {
    CorfuOptions options =
        CorfuOptions.of(where.contacts()).withLimits(where.unitOptions().limits());
    return Corfu.connect(options, world, way);
  }

  /** Returns a seat at the second cluster, if there is one. */
  private ApplicationClient seat(SimWorld world, Transport way, Corfu corfu) {
    RandomGenerator dice = world.chance().generator();
    if (second.isEmpty()) {
      return new ApplicationClient(
          CallHistory.AUDITOR, world, dice, corfu, way, Optional.empty(), () -> false);
    }
    Transport there = transport(world, second.get());
    Corfu other = connect(world, second.get(), there);
    return new ApplicationClient(
        CallHistory.AUDITOR, world, dice, other, there, Optional.of(corfu), () -> false);
  }

  private void appendOnce(Corfu corfu) {
    Outcome outcome =
        history.run(
            CallHistory.AUDITOR,
            new Call.Append(CallHistory.AUDITOR),
            () ->
                new Outcome.Appended(
                    corfu.log().append(Payloads.of(CallHistory.AUDITOR, 0)).value()));
    if (!(outcome instanceof Outcome.Appended)) {
      simulator.findings.broken("Progress", "nothing is wrong any more, but %s", outcome);
    }
  }

  private void readAll(Corfu corfu, long from, long to, Map<Long, LogEntry> log) {
    List<Long> addresses = LongStream.range(from, to).boxed().toList();
    Outcome outcome =
        history.run(
            CallHistory.AUDITOR,
            new Call.Read(addresses),
            () -> {
              List<LogEntry> entries = corfu.log().read(new Address(from), new Address(to));
              entries.forEach(entry -> log.put(entry.address().value(), entry));
              return new Outcome.Saw(entries.stream().map(CallHistory::content).toList());
            });
    if (!(outcome instanceof Outcome.Saw(List<RecordedCall.Content> contents))) {
      simulator.findings.broken(
          "Progress", "nothing is wrong any more, but %s to %s: %s", from, to, outcome);
    } else if (contents.stream().anyMatch(c -> c.kind() == RecordedCall.Content.Kind.UNWRITTEN)) {
      simulator.findings.broken("No hole below the tail", "%s", outcome);
    }
  }
}
