package corfu.sim.check;

import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Content;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.history.RecordedCall.Part;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Checks a history against the guarantees of the log (docs/design.md, sections 1 and 8). An address
 * never changes (I1). An acknowledged or read entry stays (I2). An append happens at most once, and
 * not at all if it failed. All of this happens in an order that agrees with real time (I7).
 *
 * <p>Without leases a client may read an earlier state of the log, if it is cut off together with
 * dropped servers (docs/decisions/0008). Then reads and tails need to agree only with earlier
 * results of the same client process. Addresses still never change for any client, and appends
 * still go behind every entry known to any client.
 */
public final class LogChecker {

  private final Violations findings;
  private final List<RecordedCall> operations;

  /** The entry first read or acknowledged at each address, and the operation that did. */
  private final Map<Long, Witness> decided = new HashMap<>();

  /** The length of the payload at each address of which a part was read. */
  private final Map<Long, Integer> payloadBytes = new HashMap<>();

  private final Map<String, Witness> byPayload = new HashMap<>();
  private final Map<String, RecordedCall> appends = new HashMap<>();
  private final List<RecordedCall> trims = new ArrayList<>();

  /** The knowledge of all clients together, and of each client process. */
  private final Known toAnybody = new Known();

  private final Map<String, Known> toProcess = new HashMap<>();
  private final boolean readsAreUpToDate;

  private record Witness(Content content, RecordedCall operation) {}

  /** Known entries, and the moments since when they are known. */
  private static final class Known {

    /** By the moment of a return: the highest address of any entry known by then. */
    final TreeMap<Long, Long> highest = new TreeMap<>();

    /** The first operation that returned the address as decided, or as trimmed. */
    final Map<Long, RecordedCall> decided = new HashMap<>();

    final Map<Long, RecordedCall> trimmed = new HashMap<>();

    void add(long address, long moment) {
      long before = highest.isEmpty() ? -1 : highest.lastEntry().getValue();
      highest.put(moment, Math.max(before, address));
    }

    /** Returns the highest address of an entry known before this moment, or -1 if none is known. */
    long before(long moment) {
      var last = highest.lowerEntry(moment);
      return last == null ? -1 : last.getValue();
    }
  }

  /**
   * @param readsAreUpToDate whether clients see everything that other clients were told before,
   *     which leases guarantee
   */
  public LogChecker(Violations findings, List<RecordedCall> operations, boolean readsAreUpToDate) {
    this.findings = findings;
    this.operations = operations;
    this.readsAreUpToDate = readsAreUpToDate;
  }

  public void check() {
    for (RecordedCall operation : operations) {
      if (operation.call instanceof Call.Append append) {
        appends.put(append.payload(), operation);
      }
      if (operation.call instanceof Call.Trim || operation.call instanceof Call.TrimStream) {
        trims.add(operation);
      }
    }
    List<RecordedCall> byReturn = new ArrayList<>(operations);
    byReturn.removeIf(RecordedCall::isPending);
    byReturn.sort((a, b) -> Long.compare(a.returned, b.returned));
    byReturn.forEach(this::collect);
    operations.forEach(this::checkOutcome);
  }

  // --------------------------------------------------------------------------- collected results

  private void collect(RecordedCall operation) {
    switch (operation.outcome) {
      case Outcome.Appended appended when operation.call instanceof Call.Append append ->
          isDecided(
              new Content(appended.address(), Content.Kind.DATA, append.payload()), operation);
      case Outcome.Played played -> played.given().forEach(g -> collect(g, operation));
      case Outcome.Gave(List<Given> given) -> given.forEach(g -> collect(g, operation));
      case Outcome.Saw(List<Content> contents) -> contents.forEach(c -> collect(c, operation));
      case Outcome.SawParts(List<Part> parts) -> parts.forEach(p -> collect(p, operation));
      default -> {}
    }
  }

  private void collect(Part part, RecordedCall operation) {
    Content content = part.content();
    if (content.kind() != Content.Kind.DATA) {
      collect(content, operation);
      return;
    }
    knownWith(operation)
        .forEach(
            known -> {
              known.decided.putIfAbsent(content.address(), operation);
              known.add(content.address(), operation.returned);
            });
    Integer before = payloadBytes.putIfAbsent(content.address(), part.payloadBytes());
    if (before != null && before != part.payloadBytes()) {
      findings.broken("I1, write-once", "%s found another length: not %s", operation, before);
    }
  }

  private void collect(Given given, RecordedCall operation) {
    if (given instanceof Given.Entry(long at, long address, String payload)) {
      isDecided(new Content(address, Content.Kind.DATA, payload), operation);
    }
  }

  private void collect(Content content, RecordedCall operation) {
    switch (content.kind()) {
      case DATA, HOLE -> isDecided(content, operation);
      case TRIMMED ->
          knownWith(operation).forEach(k -> k.trimmed.putIfAbsent(content.address(), operation));
      case UNWRITTEN -> {}
    }
  }

  private void isDecided(Content content, RecordedCall operation) {
    Witness now = new Witness(content, operation);
    Witness before = decided.putIfAbsent(content.address(), now);
    if (before != null && !before.content().equals(content)) {
      broken("I1, write-once", before.operation(), operation, "address %s", content.address());
    }
    knownWith(operation).forEach(k -> k.decided.putIfAbsent(content.address(), operation));
    if (content.kind() == Content.Kind.DATA) {
      Witness elsewhere = byPayload.putIfAbsent(content.payload(), now);
      if (elsewhere != null && elsewhere.content().address() != content.address()) {
        broken("At most once", elsewhere.operation(), operation, "payload %s", content.payload());
      }
      knownWith(operation).forEach(k -> k.add(content.address(), operation.returned));
    }
  }

  /** Returns the knowledge that this operation's result adds to. */
  private List<Known> knownWith(RecordedCall operation) {
    return List.of(toAnybody, toProcess.computeIfAbsent(operation.process(), p -> new Known()));
  }

  /** Returns the knowledge that this operation must not fall behind. */
  private Known expectedOf(RecordedCall read) {
    boolean mayBeStale = !readsAreUpToDate && !read.client.equals(CallHistory.AUDITOR);
    return mayBeStale ? toProcess.getOrDefault(read.process(), new Known()) : toAnybody;
  }

  // -------------------------------------------------------------------------------------- checks

  private void checkOutcome(RecordedCall operation) {
    if (operation.call instanceof Call.Append append) {
      checkAppend(operation, append.payload());
    }
    switch (operation.outcome) {
      case Outcome.Saw(List<Content> contents) -> contents.forEach(c -> checkSeen(c, operation));
      case Outcome.SawParts(List<Part> parts) -> parts.forEach(p -> checkSeen(p, operation));
      case Outcome.TailAt(long tail) when tail <= expectedOf(operation).before(operation.invoked) ->
          findings.broken(
              "I7, order",
              "%s, though an entry at %s was known before",
              operation,
              expectedOf(operation).before(operation.invoked));
      default -> {}
    }
  }

  private void checkAppend(RecordedCall append, String payload) {
    Witness seen = byPayload.get(payload);
    if (seen == null) {
      return;
    }
    long address = seen.content().address();
    switch (append.outcome) {
      case Outcome.Failed failed ->
          broken("Failed appends do not happen", append, seen.operation(), "address %s", address);
      case Outcome.Conflict conflict ->
          broken("Refused appends do not happen", append, seen.operation(), "address %s", address);
      case Outcome.Unknown(long named) when named != address ->
          broken("I2, unknown appends", append, seen.operation(), "address %s", address);
      default -> {}
    }
    if (address <= toAnybody.before(append.invoked)) {
      findings.broken(
          "I7, order",
          "%s went to %s, though an entry at %s was known before",
          append,
          address,
          toAnybody.before(append.invoked));
    }
    if (seen.operation().returned < append.invoked) {
      broken("I1, from nowhere", seen.operation(), append, "payload %s", payload);
    }
  }

  /** Compares a part with what a whole read or an append tells of its address. */
  private void checkSeen(Part part, RecordedCall read) {
    Content content = part.content();
    if (content.kind() != Content.Kind.DATA) {
      checkSeen(content, read);
      return;
    }
    notAfterTrim(content, read);
    Witness witness = decided.get(content.address());
    if (witness != null
        && !(witness.content().kind() == Content.Kind.DATA
            && Payloads.isPart(content.payload(), witness.content().payload(), part.offset()))) {
      broken("I1, write-once", witness.operation(), read, "address %s", content.address());
    }
  }

  private void checkSeen(Content content, RecordedCall read) {
    switch (content.kind()) {
      case DATA -> {
        if (!appends.containsKey(content.payload())) {
          findings.broken("I1, from nowhere", "%s read an entry that was never appended", read);
        }
        notAfterTrim(content, read);
      }
      case HOLE -> notAfterTrim(content, read);
      case UNWRITTEN -> {
        notAfterTrim(content, read);
        Known known = expectedOf(read);
        RecordedCall decision = known.decided.get(content.address());
        if (decision != null && decision.returned < read.invoked) {
          broken("I2, durability", decision, read, "address %s", content.address());
        }
        if (content.address() <= known.before(read.invoked)) {
          findings.broken(
              "I7, order",
              "%s saw %s unwritten, though an entry at %s was known before",
              read,
              content.address(),
              known.before(read.invoked));
        }
      }
      case TRIMMED -> {
        if (trims.stream().noneMatch(t -> covers(t, content) && t.invoked < read.returned)
            && !areItsStreamsTrimmed(content.address(), read.returned)) {
          findings.broken("Trim", "%s was never trimmed, but %s", content.address(), read);
        }
      }
    }
  }

  /** Returns whether each stream of the entry may have been trimmed by then, at any address. */
  private boolean areItsStreamsTrimmed(long address, long moment) {
    Set<StreamId> trimmedStreams =
        trims.stream()
            .filter(t -> t.invoked < moment && t.call instanceof Call.TrimStream)
            .map(t -> ((Call.TrimStream) t.call).stream())
            .collect(Collectors.toSet());
    Witness held = decided.get(address);
    RecordedCall append = held == null ? null : appends.get(held.content().payload());
    if (append == null) {
      return held == null && !trimmedStreams.isEmpty();
    }
    List<StreamPart> writes = ((Call.Append) append.call).wish().writes();
    return !writes.isEmpty() && writes.stream().allMatch(w -> trimmedStreams.contains(w.stream()));
  }

  private void notAfterTrim(Content content, RecordedCall read) {
    for (RecordedCall trim : trims) {
      boolean done = trim.outcome instanceof Outcome.Trimmed && trim.returned < read.invoked;
      if (done && covers(trim, content) && isBoundBy(trim, read)) {
        broken("Trim", trim, read, "address %s", content.address());
      }
    }
    RecordedCall seen = expectedOf(read).trimmed.get(content.address());
    if (seen != null && seen.returned < read.invoked) {
      broken("Trimmed is for ever", seen, read, "address %s", content.address());
    }
  }

  private boolean isBoundBy(RecordedCall trim, RecordedCall read) {
    return expectedOf(read) == toAnybody || trim.process().equals(read.process());
  }

  private static boolean covers(RecordedCall trim, Content content) {
    return trim.call instanceof Call.Trim(long from, long to)
        && content.address() >= from
        && content.address() < to;
  }

  private void broken(
      String invariant, RecordedCall first, RecordedCall second, String where, Object what) {
    findings.broken(
        invariant, "%s: %s, but %s", where.formatted(what), shortened(first), shortened(second));
  }

  private static String shortened(RecordedCall operation) {
    String text = operation.toString();
    return text.length() > 300 ? text.substring(0, 300) + "..." : text;
  }
}
