package corfu.sim.history;

import static java.nio.charset.StandardCharsets.US_ASCII;

import corfu.protocol.stream.TokenWish;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.runtime.EntryPart;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.sim.history.CallObserver.Need;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Content;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.history.RecordedCall.Part;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Every operation of every client, in the order of their invocations. */
public final class CallHistory {

  /** The client that audits the cluster after all faults. */
  public static final String AUDITOR = "auditor";

  private final Simulator simulator;
  private final List<RecordedCall> operations = new ArrayList<>();
  private Optional<CallObserver> observer = Optional.empty();
  private long moments;

  public CallHistory(Simulator simulator) {
    this.simulator = simulator;
  }

  /** Notifies this observer of the beginnings and ends of calls from now on. */
  public void observedBy(CallObserver watch) {
    observer = Optional.of(watch);
  }

  public List<RecordedCall> operations() {
    return operations;
  }

  public RecordedCall invoke(String client, Call call) {
    RecordedCall fresh = new RecordedCall(client, call, moments++, simulator.timeline.nowNanos());
    operations.add(fresh);
    observer.ifPresent(watch -> begins(watch, client, call));
    simulator.trace.say(client, () -> "begins " + call);
    return fresh;
  }

  public void returned(RecordedCall operation, Outcome outcome) {
    operation.outcome = outcome;
    operation.returned = moments++;
    observer.ifPresent(watch -> ends(watch, operation, outcome));
    simulator.trace.mark(outcome.toString().hashCode());
    simulator.trace.say(operation.client, () -> "returns " + outcome + " from " + operation.call);
  }

  private static void begins(CallObserver watch, String thread, Call call) {
    switch (call) {
      case Call.Append append ->
          watch.begins(
              thread,
              append.wish().equals(TokenWish.PLAIN) ? Need.OPEN_SEGMENT : Need.ALL_SEGMENTS);
      case Call.Tail tail -> watch.begins(thread, Need.OPEN_SEGMENT);
      default -> watch.interrupts(thread);
    }
  }

  private static void ends(CallObserver watch, RecordedCall operation, Outcome outcome) {
    switch (operation.call) {
      case Call.Append append -> tell(watch, operation.client, outcome);
      case Call.Tail tail -> tell(watch, operation.client, outcome);
      default -> watch.goesOn(operation.client);
    }
  }

  private static void tell(CallObserver watch, String thread, Outcome outcome) {
    if (outcome instanceof Outcome.Failed || outcome instanceof Outcome.Unknown) {
      watch.fails(thread);
    }
    watch.ends(thread);
  }

  /** Runs an operation on the calling thread. Returns its outcome. */
  public Outcome run(String client, Call call, Supplier<Outcome> work) {
    return finish(invoke(client, call), work);
  }

  /** Runs an operation that was already invoked, on the calling thread. Returns its outcome. */
  public Outcome finish(RecordedCall operation, Supplier<Outcome> work) {
    Outcome outcome;
    try {
      outcome = work.get();
    } catch (CorfuException failure) {
      outcome = failed(failure);
    } catch (RuntimeException | Error failure) {
      simulator.findings.unexpected(operation.client + " " + operation.call, failure);
      outcome = new Outcome.Failed(failure.toString());
    }
    returned(operation, outcome);
    return outcome;
  }

  /** Returns the outcome of an append that failed with this exception. */
  public Outcome failed(String client, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof CorfuException known) {
      return failed(known);
    }
    simulator.findings.unexpected(client + ", an append", failure);
    return new Outcome.Failed(failure.toString());
  }

  public static Outcome failed(CorfuException failure) {
    return failure instanceof AppendOutcomeUnknownException unknown
        ? new Outcome.Unknown(unknown.address().value())
        : new Outcome.Failed(failure.toString());
  }

  /** Returns the number of operations by kind and outcome. */
  public Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    for (RecordedCall operation : operations) {
      String kind = operation.call.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      String end =
          switch (operation.outcome) {
            case Outcome.Pending pending -> ", never ended";
            case Outcome.Unknown unknown -> ", outcome unknown";
            case Outcome.Failed failed -> ", failed";
            case Outcome.Played played when played.stop() == RecordedCall.Stop.BROKEN -> ", failed";
            case Outcome.Conflict conflict -> " refused by its condition";
            default -> "";
          };
      counts.merge(kind + end, 1, Integer::sum);
    }
    return counts;
  }

  public static RecordedCall.Given given(StreamRead.Entry entry) {
    return new RecordedCall.Given.Entry(
        entry.streamAddress().value(), entry.address().value(), Payloads.nameOf(entry.text()));
  }

  public static Part part(EntryPart part) {
    long address = part.address().value();
    return switch (part) {
      case EntryPart.Data data ->
          new Part(
              new Content(address, Content.Kind.DATA, US_ASCII.decode(data.bytes()).toString()),
              data.payloadBytes(),
              data.offset());
      case EntryPart.Hole hole -> new Part(new Content(address, Content.Kind.HOLE, ""), 0, 0);
      case EntryPart.Trimmed trimmed ->
          new Part(new Content(address, Content.Kind.TRIMMED, ""), 0, 0);
      case EntryPart.Unwritten unwritten ->
          new Part(new Content(address, Content.Kind.UNWRITTEN, ""), 0, 0);
    };
  }

  public static Content content(LogEntry entry) {
    long address = entry.address().value();
    return switch (entry) {
      case LogEntry.Data data ->
          new Content(address, Content.Kind.DATA, Payloads.nameOf(data.text()));
      case LogEntry.Hole hole -> new Content(address, Content.Kind.HOLE, "");
      case LogEntry.Trimmed trimmed -> new Content(address, Content.Kind.TRIMMED, "");
      case LogEntry.Unwritten unwritten -> new Content(address, Content.Kind.UNWRITTEN, "");
    };
  }
}
