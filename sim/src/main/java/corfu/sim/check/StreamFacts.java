package corfu.sim.check;

import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.sim.history.CallHistory;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.linearizability.Linearizability;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The entries of each stream according to all results, since when each process knows them, and the
 * trims.
 */
final class StreamFacts {

  private final Violations findings;
  private final boolean readsAreUpToDate;
  private final Map<StreamId, TreeMap<Long, Fact>> facts = new HashMap<>();
  private final List<RecordedCall> trims = new ArrayList<>();

  /** An entry of a stream. */
  static final class Fact {
    final StreamId stream;
    final long at;
    final long address;
    final String payload;
    final RecordedCall witness;

    /** By process: the moment of the first return that contained the entry. */
    private final Map<String, Long> known = new HashMap<>();

    private Fact(StreamId stream, long at, long address, String payload, RecordedCall witness) {
      this.stream = stream;
      this.at = at;
      this.address = address;
      this.payload = payload;
      this.witness = witness;
    }

    @Override
    public String toString() {
      return "entry " + payload + " at " + at + " of stream " + stream + ", log " + address;
    }
  }

  /**
   * @param byReturn the completed operations in the order of their returns
   * @param readsAreUpToDate whether clients see everything that other clients were told before
   */
  StreamFacts(Violations findings, List<RecordedCall> byReturn, boolean readsAreUpToDate) {
    this.findings = findings;
    this.readsAreUpToDate = readsAreUpToDate;
    byReturn.forEach(this::collect);
  }

  /** Adds a trim, whether it has ended or not. */
  void trimmedBy(RecordedCall trim) {
    trims.add(trim);
  }

  private void collect(RecordedCall operation) {
    switch (operation.outcome) {
      case Outcome.Appended(long address, List<StreamAppend.Place> places)
          when operation.call instanceof Call.Append append -> {
        for (StreamAppend.Place place : places) {
          long at = place.streamAddress().value();
          learn(new Fact(place.stream(), at, address, append.payload(), operation), operation);
        }
      }
      case Outcome.Played played when operation.call instanceof Call.Play play ->
          collect(play.stream(), played.given(), operation);
      case Outcome.Gave gave when operation.call instanceof Call.ReadStream read ->
          collect(read.stream(), gave.given(), operation);
      case Outcome.Gave gave when operation.call instanceof Call.Follow follow ->
          collect(follow.stream(), gave.given(), operation);
      default -> {}
    }
  }

  private void collect(StreamId stream, List<Given> given, RecordedCall operation) {
    for (Given one : given) {
      if (one instanceof Given.Entry(long at, long address, String payload)) {
        learn(new Fact(stream, at, address, payload, operation), operation);
      }
    }
  }

  private void learn(Fact now, RecordedCall operation) {
    Fact before = facts.computeIfAbsent(now.stream, s -> new TreeMap<>()).putIfAbsent(now.at, now);
    Fact fact = before == null ? now : before;
    if (fact.address != now.address || !fact.payload.equals(now.payload)) {
      findings.broken(
          "I6, one entry a place", "%s (%s), but %s (%s)", fact, fact.witness, now, operation);
    }
    fact.known.putIfAbsent(operation.process(), operation.returned);
  }

  Collection<StreamId> streams() {
    return facts.keySet();
  }

  NavigableMap<Long, Fact> of(StreamId stream) {
    return facts.getOrDefault(stream, new TreeMap<>());
  }

  Stream<Fact> all() {
    return facts.values().stream().flatMap(stream -> stream.values().stream());
  }

  /** Returns whether this operation must see the entry. */
  boolean isKnownTo(Fact fact, RecordedCall operation) {
    return isStale(operation)
        ? fact.known.getOrDefault(operation.process(), Linearizability.NEVER) < operation.invoked
        : fact.known.values().stream().anyMatch(moment -> moment < operation.invoked);
  }

  private boolean isStale(RecordedCall operation) {
    return !readsAreUpToDate && !operation.client.equals(CallHistory.AUDITOR);
  }

  /** Returns whether the entry may have been trimmed when this operation ended. */
  boolean mayBeTrimmed(Fact fact, RecordedCall by) {
    return trims.stream().anyMatch(trim -> trim.invoked < by.returned && covers(trim, fact));
  }

  /** Returns whether anything in the stream may have been trimmed when this operation ended. */
  boolean isAnythingTrimmed(StreamId stream, RecordedCall by) {
    return trims.stream()
        .anyMatch(
            trim ->
                trim.invoked < by.returned
                    && (!(trim.call instanceof Call.TrimStream it) || it.stream().equals(stream)));
  }

  private static boolean covers(RecordedCall trim, Fact fact) {
    return switch (trim.call) {
      case Call.Trim(long from, long to) -> fact.address >= from && fact.address < to;
      case Call.TrimStream(StreamId stream, long before) ->
          stream.equals(fact.stream) && fact.at < before;
      default -> false;
    };
  }

  /**
   * Returns whether the entry must be hidden from this operation. It must be if a client that knew
   * of the entry trimmed the stream behind it. A trim beyond the stream's end trims only the
   * entries that exist.
   */
  boolean isTrimmedFor(Fact fact, RecordedCall operation) {
    return trims.stream()
        .filter(trim -> trim.outcome instanceof Outcome.Trimmed)
        .filter(trim -> trim.returned < operation.invoked)
        .filter(trim -> !isStale(operation) || trim.process().equals(operation.process()))
        .anyMatch(
            trim ->
                trim.call instanceof Call.TrimStream
                    && covers(trim, fact)
                    && isKnownTo(fact, trim));
  }
}
