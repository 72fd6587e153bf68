package corfu.sim.check;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.StreamAppend;
import corfu.sim.check.StreamFacts.Fact;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.history.RecordedCall.Stop;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a history against the guarantees of streams (docs/design.md, section 8, I6 and I7;
 * docs/decisions/0009). The guarantees are:
 *
 * <ul>
 *   <li>The order of each stream is that of the log.
 *   <li>A reader never goes back, and entries that it has passed stay as they were.
 *   <li>A reader gets all entries that were known before it asked for the end of its stream.
 *   <li>An append under a condition takes effect as if at its snapshot.
 *   <li>A subscriber gets the entries of its stream in order, each exactly once.
 * </ul>
 *
 * <p>Only trimmed entries are missing.
 *
 * <p>As in {@link LogChecker}, clients of a cluster without leases may read an earlier state of a
 * stream. Then they must see only what their own process was told before.
 */
public final class StreamChecker {

  private final Violations findings;
  private final List<RecordedCall> operations;
  private final StreamFacts facts;
  private final Map<String, Call.Append> appends = new HashMap<>();
  private final Map<String, Long> addresses = new HashMap<>();

  /** The first operation of each subscriber, by the subscriber's name. */
  private final Map<String, RecordedCall> begins = new HashMap<>();

  /** The position of each reader or subscriber that has begun, by its name. */
  private final Map<String, Position> positions = new HashMap<>();

  /** The reader's next entry is at this stream address or later, and behind this log address. */
  private record Position(long next, long behind) {}

  public StreamChecker(
      Violations findings, List<RecordedCall> operations, boolean readsAreUpToDate) {
    this.findings = findings;
    this.operations = operations;
    List<RecordedCall> byReturn = new ArrayList<>(operations);
    byReturn.removeIf(RecordedCall::isPending);
    byReturn.sort((a, b) -> Long.compare(a.returned, b.returned));
    this.facts = new StreamFacts(findings, byReturn, readsAreUpToDate);
  }

  public void check() {
    for (RecordedCall operation : operations) {
      switch (operation.call) {
        case Call.Append append -> appends.put(append.payload(), append);
        case Call.Trim trim -> facts.trimmedBy(operation);
        case Call.TrimStream trim -> facts.trimmedBy(operation);
        default -> {}
      }
    }
    facts.streams().forEach(this::checkOrder);
    facts.all().forEach(this::checkPlace);
    operations.forEach(this::check);
    for (RecordedCall operation : operations) {
      if (operation.call instanceof Call.Append append) {
        append.wish().condition().ifPresent(condition -> checkCondition(operation, condition));
      }
    }
  }

  private void check(RecordedCall operation) {
    switch (operation.outcome) {
      case Outcome.Played played when operation.call instanceof Call.Play play ->
          checkPlay(play, played, operation);
      case Outcome.Gave gave when operation.call instanceof Call.ReadStream read ->
          checkRead(read, gave.given(), operation);
      case Outcome.Gave gave when operation.call instanceof Call.Follow follow ->
          checkGiven(follow, gave.given(), operation);
      case Outcome.StreamTailAt(long end) when operation.call instanceof Call.AskStreamTail ask ->
          checkSeen(ask.stream(), end, Long.MAX_VALUE, operation);
      case Outcome.Streams(Map<StreamId, StreamAddress> tails) -> {
        for (StreamId stream : facts.streams()) {
          long end = tails.getOrDefault(stream, StreamAddress.ZERO).value();
          checkSeen(stream, end, Long.MAX_VALUE, operation);
        }
      }
      default -> {}
    }
  }

  // --------------------------------------------------------------------------------------- places

  private void checkOrder(StreamId stream) {
    Optional<Fact> last = Optional.empty();
    for (Fact fact : facts.of(stream).values()) {
      if (last.isPresent() && fact.address <= last.get().address) {
        findings.broken("I6, order", "%s, but %s", last.get(), fact);
      }
      last = Optional.of(fact);
    }
  }

  /** Checks that an entry is in a stream that its append named, and at one log address only. */
  private void checkPlace(Fact fact) {
    Call.Append append = appends.get(fact.payload);
    if (append == null
        || append.wish().writes().stream().noneMatch(w -> w.stream().equals(fact.stream))) {
      findings.broken("I6, streams", "no append named the stream of %s (%s)", fact, fact.witness);
    }
    Long before = addresses.putIfAbsent(fact.payload, fact.address);
    if (before != null && before != fact.address) {
      findings.broken("I6, order", "%s, but it was at log address %s before", fact, before);
    }
  }

  // -------------------------------------------------------------------------------------- readers

  private void checkPlay(Call.Play play, Outcome.Played played, RecordedCall operation) {
    boolean isFresh = !positions.containsKey(play.reader());
    Position position = positions.getOrDefault(play.reader(), new Position(play.from(), -1));
    if (isFresh) {
      checkTrimmed(play.stream(), played.given(), operation);
    }
    Position reached = pass(play.stream(), position, played.given(), operation);
    positions.put(play.reader(), reached);
    if (played.stop() == Stop.AT_END) {
      checkSeen(play.stream(), reached.next(), Long.MAX_VALUE, operation);
    }
    checkSeen(play.stream(), Math.max(played.end(), play.from()), Long.MAX_VALUE, operation);
  }

  /** Checks a subscriber like a reader, except that nothing tells how far a subscriber has read. */
  private void checkGiven(Call.Follow follow, List<Given> given, RecordedCall operation) {
    RecordedCall begun = begins.computeIfAbsent(follow.subscriber(), name -> operation);
    checkTrimmed(follow.stream(), given, begun);
    Position position =
        positions.getOrDefault(follow.subscriber(), new Position(follow.from(), -1));
    positions.put(follow.subscriber(), pass(follow.stream(), position, given, operation));
  }

  /**
   * Checks that addresses increase, and that the stream never has an entry between two returned
   * ones.
   */
  private Position pass(
      StreamId stream, Position before, List<Given> given, RecordedCall operation) {
    long next = before.next();
    long behind = before.behind();
    for (Given one : given) {
      switch (one) {
        case Given.Entry(long at, long address, String payload) -> {
          if (at < next || address <= behind) {
            findings.broken(
                "I6, order", "%s gave %s, where %s or a later one was next", operation, one, next);
          }
          checkNothing(stream, next, at, operation);
          next = at + 1;
          behind = address;
        }
        case Given.Lost(long to) -> {
          if (!facts.isAnythingTrimmed(stream, operation)) {
            findings.broken("Trim", "nothing of %s was trimmed, but %s", stream, operation);
          }
          if (to <= next) {
            findings.broken("Trim", "%s lost nothing: %s or a later one was next", operation, next);
          }
          checkNothing(stream, next, to, operation);
          next = Math.max(next, to);
        }
      }
    }
    return new Position(next, behind);
  }

  /** Checks that the stream has no entry in the range, now or later. */
  private void checkNothing(StreamId stream, long from, long to, RecordedCall operation) {
    if (from < to) {
      for (Fact fact : facts.of(stream).subMap(from, to).values()) {
        if (!facts.mayBeTrimmed(fact, operation)) {
          findings.broken(
              "I6, what was passed stays", "%s left out %s (%s)", operation, fact, fact.witness);
        }
      }
    }
  }

  /** Checks that no entry known before is in the range. */
  private void checkSeen(StreamId stream, long from, long to, RecordedCall operation) {
    if (from < to) {
      for (Fact fact : facts.of(stream).subMap(from, to).values()) {
        if (facts.isKnownTo(fact, operation) && !facts.mayBeTrimmed(fact, operation)) {
          findings.broken(
              "I7, streams", "%s does not know of %s (%s)", operation, fact, fact.witness);
        }
      }
    }
  }

  /**
   * Checks that entries before a completed trim are hidden from operations that begin afterwards.
   */
  private void checkTrimmed(StreamId stream, List<Given> given, RecordedCall operation) {
    for (Given one : given) {
      if (one instanceof Given.Entry entry) {
        Fact fact = facts.of(stream).get(entry.at());
        if (fact != null && facts.isTrimmedFor(fact, operation)) {
          findings.broken("Trim", "%s had been trimmed before %s", fact, operation);
        }
      }
    }
  }

  // --------------------------------------------------------------------------------------- ranges

  private void checkRead(Call.ReadStream read, List<Given> given, RecordedCall operation) {
    checkTrimmed(read.stream(), given, operation);
    List<Given> entries = new ArrayList<>();
    for (Given one : given) {
      if (one instanceof Given.Entry entry) {
        entries.add(entry);
        if (entry.at() >= read.to()) {
          findings.broken("I6, order", "%s has %s in it", operation, entry);
        }
      } else if (!facts.isAnythingTrimmed(read.stream(), operation)) {
        findings.broken("Trim", "nothing was trimmed, but %s", operation);
      }
    }
    Position reached = pass(read.stream(), new Position(read.from(), -1), entries, operation);
    long passed = Math.min(read.to(), knownEnd(read.stream(), operation));
    checkNothing(read.stream(), reached.next(), passed, operation);
    checkSeen(read.stream(), Math.max(reached.next(), passed), read.to(), operation);
  }

  /** Returns the address of the last entry known before. */
  private long knownEnd(StreamId stream, RecordedCall operation) {
    return facts.of(stream).descendingMap().values().stream()
        .filter(fact -> facts.isKnownTo(fact, operation))
        .map(fact -> fact.at)
        .findFirst()
        .orElse(0L);
  }

  // ----------------------------------------------------------------------------------- conditions

  /**
   * Checks that nothing that the condition covers changed between the snapshot and the append, if
   * the append happened.
   */
  private void checkCondition(RecordedCall operation, Condition condition) {
    Call.Append append = (Call.Append) operation.call;
    if (operation.outcome instanceof Outcome.Conflict(StreamAppend.Conflict reason)
        && reason.address().value() < condition.snapshot()) {
      findings.broken("Conditions", "%s changed before the snapshot", operation);
    }
    Long address =
        operation.outcome instanceof Outcome.Appended appended
            ? Long.valueOf(appended.address())
            : addresses.get(append.payload());
    if (address == null) {
      return;
    }
    for (StreamPart read : condition.reads()) {
      for (Fact fact : facts.of(read.stream()).values()) {
        boolean isBetween = fact.address >= condition.snapshot() && fact.address < address;
        if (isBetween && changes(fact, read)) {
          findings.broken("Conditions", "%s, but %s changed it", operation, fact);
        }
      }
    }
  }

  private boolean changes(Fact fact, StreamPart read) {
    Call.Append append = appends.get(fact.payload);
    if (append == null) {
      return false;
    }
    return append.wish().writes().stream()
        .filter(written -> written.stream().equals(read.stream()))
        .anyMatch(
            written ->
                read.keys().isEmpty()
                    || written.keys().isEmpty()
                    || read.keys().stream().anyMatch(written.keys()::contains));
  }
}
