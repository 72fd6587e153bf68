package corfu.proof.cluster;

import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.LogEntry;
import corfu.sim.audit.Inspection;
import corfu.sim.audit.ReplicaComparison;
import corfu.sim.check.LogChecker;
import corfu.sim.check.RegisterChecker;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Content;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.world.Timeline;
import corfu.sim.world.Trace;
import corfu.sim.world.Violations;
import corfu.transport.Transport;
import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The calls of a real cluster's clients and their results, for the checkers that simulations use.
 * Thread-safe.
 *
 * <p>A moment is a number that is drawn before a call begins, or after it has ended. So the order
 * of moments agrees with real time.
 */
public final class RealHistory {

  private static final int PIECE = 200;

  private final Trace trace = new Trace(new Timeline(), 0, line -> {});
  private final Violations findings = new Violations(trace);
  private final List<RecordedCall> operations = new ArrayList<>();
  private final AtomicLong moments = new AtomicLong();
  private final AtomicLong probes = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private final World world;

  public RealHistory(World world) {
    this.world = world;
  }

  Outcome run(String client, Call call, Supplier<Outcome> work) {
    long began = world.nanoTime();
    RecordedCall operation = begin(client, call, began);
    Outcome outcome;
    try {
      outcome = work.get();
    } catch (CorfuException failure) {
      outcome = CallHistory.failed(failure);
    } catch (RuntimeException | Error failure) {
      unexpected(client + " " + call, failure);
      outcome = new Outcome.Failed(failure.toString());
    }
    operation.outcome = outcome;
    operation.returned = moments.getAndIncrement();
    longestNanos.accumulateAndGet(world.nanoTime() - began, Math::max);
    return outcome;
  }

  private synchronized RecordedCall begin(String client, Call call, long now) {
    RecordedCall fresh = new RecordedCall(client, call, moments.getAndIncrement(), now);
    operations.add(fresh);
    return fresh;
  }

  /**
   * Appends with a new client, and reads the appended entry.
   *
   * @return whether both were possible
   */
  public boolean canUse(Corfu corfu) {
    String name = "probe" + probes.incrementAndGet();
    Outcome appended =
        run(
            name,
            new Call.Append(name),
            () -> new Outcome.Appended(corfu.log().append(Payloads.of(name, 10)).value()));
    if (!(appended instanceof Outcome.Appended(long address, var unused))) {
      return false;
    }
    Call read = new Call.Read(List.of(address));
    return run(name, read, () -> saw(List.of(corfu.log().read(new Address(address)))))
        instanceof Outcome.Saw;
  }

  /** Reports a violation that does not concern the log. */
  public synchronized void broken(String promise, String how) {
    findings.broken(promise, "%s", how);
  }

  /** Reports an exception that must never be thrown. */
  public synchronized void unexpected(String where, Throwable failure) {
    findings.unexpected(where, failure);
  }

  /** Returns the duration of the longest call. */
  public long longestMillis() {
    return longestNanos.get() / 1_000_000;
  }

  /** Returns the number of operations by kind and outcome. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    for (RecordedCall operation : operations) {
      String kind = operation.call.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      String end =
          switch (operation.outcome) {
            case Outcome.Pending pending -> ", never ended";
            case Outcome.Unknown unknown -> ", outcome unknown";
            case Outcome.Failed failed -> ", failed";
            default -> "";
          };
      counts.merge(kind + end, 1, Integer::sum);
    }
    return counts;
  }

  /**
   * Checks the cluster after all faults and all clients' calls. It appends, reads the whole log,
   * compares the contents of all replicas (I3), and checks the results of all calls.
   *
   * @return the violations
   */
  public synchronized List<String> audit(Corfu corfu, Transport transport) {
    Outcome appended =
        run(
            CallHistory.AUDITOR,
            new Call.Append(CallHistory.AUDITOR),
            () ->
                new Outcome.Appended(
                    corfu.log().append(Payloads.of(CallHistory.AUDITOR, 0)).value()));
    if (!(appended instanceof Outcome.Appended)) {
      broken("Progress", "nothing is wrong any more, but " + appended);
    }
    long tail = corfu.log().tail().value();
    for (long from = 0; from < tail; from += PIECE) {
      readAll(corfu, from, Math.min(tail, from + PIECE));
    }
    Inspection inspection = new Inspection(findings, world, transport);
    new ReplicaComparison(findings, inspection).compare(corfu, tail);
    new LogChecker(findings, operations, true).check();
    new RegisterChecker(findings, operations).check();
    return findings.all();
  }

  private void readAll(Corfu corfu, long from, long to) {
    List<Long> addresses = LongStream.range(from, to).boxed().toList();
    Outcome outcome =
        run(
            CallHistory.AUDITOR,
            new Call.Read(addresses),
            () -> saw(corfu.log().read(new Address(from), new Address(to))));
    if (!(outcome instanceof Outcome.Saw(List<Content> contents))) {
      broken(
          "Progress", "nothing is wrong any more, but %s to %s: %s".formatted(from, to, outcome));
    } else if (contents.stream().anyMatch(c -> c.kind() == Content.Kind.UNWRITTEN)) {
      broken("No hole below the tail", outcome.toString());
    }
  }

  static Outcome saw(List<LogEntry> entries) {
    return new Outcome.Saw(entries.stream().map(CallHistory::content).toList());
  }
}
