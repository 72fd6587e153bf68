package corfu.sim;

import corfu.sim.Operation.Call;
import corfu.sim.Operation.Content;
import corfu.sim.Operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks a history against what the log promises (DESIGN 3.1, 3.8): an address never changes (I1);
 * what was acknowledged or seen stays (I2); an append happens at most once, and not at all if it
 * failed; and all of it in an order that agrees with real time (I7).
 */
final class LogChecker {

  private final Findings findings;
  private final List<Operation> operations;

  /** What was first seen, or acknowledged, at an address, and by whom. */
  private final Map<Long, Witness> decided = new HashMap<>();

  private final Map<String, Witness> byPayload = new HashMap<>();
  private final Map<String, Operation> appends = new HashMap<>();
  private final List<Operation> trims = new ArrayList<>();

  /** By the moment of its return: the highest address of any entry known by then. */
  private final TreeMap<Long, Long> knownBy = new TreeMap<>();

  /** The first return that told of an address that it is decided, or trimmed. */
  private final Map<Long, Operation> firstDecided = new HashMap<>();

  private final Map<Long, Operation> firstTrimmed = new HashMap<>();

  private record Witness(Content content, Operation operation) {}

  LogChecker(Findings findings, List<Operation> operations) {
    this.findings = findings;
    this.operations = operations;
  }

  void check() {
    for (Operation operation : operations) {
      if (operation.call instanceof Call.Append(String payload)) {
        appends.put(payload, operation);
      }
      if (operation.call instanceof Call.Trim) {
        trims.add(operation);
      }
    }
    List<Operation> byReturn = new ArrayList<>(operations);
    byReturn.removeIf(Operation::isPending);
    byReturn.sort((a, b) -> Long.compare(a.returned, b.returned));
    byReturn.forEach(this::collect);
    operations.forEach(this::checkOutcome);
  }

  // ------------------------------------------------------------------------------- what is known

  private void collect(Operation operation) {
    switch (operation.outcome) {
      case Outcome.Appended(long address) when operation.call instanceof Call.Append append ->
          isDecided(new Content(address, Content.Kind.DATA, append.payload()), operation);
      case Outcome.Saw(List<Content> contents) -> contents.forEach(c -> collect(c, operation));
      default -> {}
    }
  }

  private void collect(Content content, Operation operation) {
    switch (content.kind()) {
      case DATA, HOLE -> isDecided(content, operation);
      case TRIMMED -> firstTrimmed.putIfAbsent(content.address(), operation);
      case UNWRITTEN -> {}
    }
  }

  private void isDecided(Content content, Operation operation) {
    Witness now = new Witness(content, operation);
    Witness before = decided.putIfAbsent(content.address(), now);
    if (before != null && !before.content().equals(content)) {
      broken("I1, write-once", before.operation(), operation, "address %s", content.address());
    }
    firstDecided.putIfAbsent(content.address(), operation);
    if (content.kind() == Content.Kind.DATA) {
      Witness elsewhere = byPayload.putIfAbsent(content.payload(), now);
      if (elsewhere != null && elsewhere.content().address() != content.address()) {
        broken("At most once", elsewhere.operation(), operation, "payload %s", content.payload());
      }
      long highest = knownBy.isEmpty() ? -1 : knownBy.lastEntry().getValue();
      knownBy.put(operation.returned, Math.max(highest, content.address()));
    }
  }

  /** The highest address of an entry that somebody knew of before this moment; -1 for none. */
  private long knownBefore(long moment) {
    var last = knownBy.lowerEntry(moment);
    return last == null ? -1 : last.getValue();
  }

  // ---------------------------------------------------------------------------- what must follow

  private void checkOutcome(Operation operation) {
    if (operation.call instanceof Call.Append(String payload)) {
      checkAppend(operation, payload);
    }
    switch (operation.outcome) {
      case Outcome.Saw(List<Content> contents) -> contents.forEach(c -> checkSeen(c, operation));
      case Outcome.TailAt(long tail) when tail <= knownBefore(operation.invoked) ->
          findings.broken(
              "I7, order",
              "%s, though an entry at %s was known before",
              operation,
              knownBefore(operation.invoked));
      default -> {}
    }
  }

  private void checkAppend(Operation append, String payload) {
    Witness seen = byPayload.get(payload);
    if (seen == null) {
      return;
    }
    long address = seen.content().address();
    switch (append.outcome) {
      case Outcome.Failed failed ->
          broken("Failed appends do not happen", append, seen.operation(), "address %s", address);
      case Outcome.Unknown(long named) when named != address ->
          broken("I2, unknown appends", append, seen.operation(), "address %s", address);
      default -> {}
    }
    if (address <= knownBefore(append.invoked)) {
      findings.broken(
          "I7, order",
          "%s went to %s, though an entry at %s was known before",
          append,
          address,
          knownBefore(append.invoked));
    }
    if (seen.operation().returned < append.invoked) {
      broken("I1, from nowhere", seen.operation(), append, "payload %s", payload);
    }
  }

  private void checkSeen(Content content, Operation read) {
    switch (content.kind()) {
      case DATA -> {
        if (!appends.containsKey(content.payload())) {
          findings.broken("I1, from nowhere", "nobody appended what %s saw", read);
        }
        notAfterTrim(content, read);
      }
      case HOLE -> notAfterTrim(content, read);
      case UNWRITTEN -> {
        notAfterTrim(content, read);
        Operation known = firstDecided.get(content.address());
        if (known != null && known.returned < read.invoked) {
          broken("I2, durability", known, read, "address %s", content.address());
        }
        if (content.address() <= knownBefore(read.invoked)) {
          findings.broken(
              "I7, order",
              "%s saw %s unwritten, though an entry at %s was known before",
              read,
              content.address(),
              knownBefore(read.invoked));
        }
      }
      case TRIMMED -> {
        if (trims.stream().noneMatch(t -> covers(t, content) && t.invoked < read.returned)) {
          findings.broken("Trim", "nobody trimmed %s, but %s", content.address(), read);
        }
      }
    }
  }

  private void notAfterTrim(Content content, Operation read) {
    for (Operation trim : trims) {
      boolean done = trim.outcome instanceof Outcome.Trimmed && trim.returned < read.invoked;
      if (done && covers(trim, content)) {
        broken("Trim", trim, read, "address %s", content.address());
      }
    }
    Operation seen = firstTrimmed.get(content.address());
    if (seen != null && seen.returned < read.invoked) {
      broken("Trimmed is for ever", seen, read, "address %s", content.address());
    }
  }

  private static boolean covers(Operation trim, Content content) {
    return trim.call instanceof Call.Trim(long from, long to)
        && content.address() >= from
        && content.address() < to;
  }

  private void broken(
      String invariant, Operation first, Operation second, String where, Object what) {
    findings.broken(
        invariant, "%s: %s, but %s", where.formatted(what), shortened(first), shortened(second));
  }

  private static String shortened(Operation operation) {
    String text = operation.toString();
    return text.length() > 300 ? text.substring(0, 300) + "..." : text;
  }
}
