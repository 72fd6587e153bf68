package corfu.sim.audit;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.history.RecordedCall.Stop;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rebuilds the streams from the headers of the log's entries. It compares them with the entries
 * that a reader gets, with the streams that each append named, and with each log unit's index.
 */
final class StreamAudit {

  private static final int PIECE = 100;

  private final Violations findings;
  private final CallHistory history;
  private final Inspection inspection;

  /** The log's contents by address. */
  private final NavigableMap<Long, LogEntry> log;

  private final Map<StreamId, List<Given.Entry>> streams = new HashMap<>();

  StreamAudit(
      Violations findings,
      CallHistory history,
      Inspection inspection,
      NavigableMap<Long, LogEntry> log) {
    this.findings = findings;
    this.history = history;
    this.inspection = inspection;
    this.log = log;
  }

  /**
   * Compares everything.
   *
   * @param named streams that a client may have written to
   * @return the address behind the last entry, by stream
   */
  Map<StreamId, Long> audit(Corfu corfu, Set<StreamId> named) {
    entries().forEach(this::collect);
    Set<StreamId> all = new TreeSet<>(named);
    all.addAll(streams.keySet());
    Streams over = Streams.over(corfu);
    for (StreamId stream : all) {
      play(over.open(stream).reader());
      inspection.untilDone(corfu, layout -> compareIndexes(layout, stream));
    }
    Map<StreamId, Long> ends = new HashMap<>();
    streams.forEach((stream, entries) -> ends.put(stream, entries.getLast().at() + 1));
    return ends;
  }

  private List<LogEntry.Data> entries() {
    return log.values().stream()
        .filter(LogEntry.Data.class::isInstance)
        .map(LogEntry.Data.class::cast)
        .toList();
  }

  private void collect(LogEntry.Data entry) {
    String name = Payloads.nameOf(entry.text());
    for (StreamHeader header : entry.streams()) {
      streams
          .computeIfAbsent(header.stream(), s -> new ArrayList<>())
          .add(new Given.Entry(header.streamAddress(), entry.address().value(), name));
    }
  }

  /** Checks that an entry is in all streams that its append named, and in no other. */
  void checkWishes() {
    Map<String, Call.Append> appends = new HashMap<>();
    for (RecordedCall operation : history.operations()) {
      if (operation.call instanceof Call.Append append) {
        appends.put(append.payload(), append);
      }
    }
    for (LogEntry.Data entry : entries()) {
      String name = Payloads.nameOf(entry.text());
      Set<StreamId> in =
          entry.streams().stream().map(StreamHeader::stream).collect(Collectors.toSet());
      Set<StreamId> wanted = new HashSet<>();
      Optional.ofNullable(appends.get(name))
          .ifPresent(append -> append.wish().writes().forEach(w -> wanted.add(w.stream())));
      if (!in.equals(wanted)) {
        findings.broken("I6, all streams", "%s was for %s, but is in %s", name, wanted, in);
      }
    }
  }

  // --------------------------------------------------------------------------------------- readers

  private void play(StreamReader reader) {
    StreamId stream = reader.stream();
    Outcome outcome =
        history.run(
            CallHistory.AUDITOR,
            new Call.Play(CallHistory.AUDITOR + "/" + stream, stream, 0),
            () -> new Outcome.Played(reader.sync().value(), all(reader), Stop.AT_END));
    if (!(outcome instanceof Outcome.Played(long end, List<Given> given, Stop stop))) {
      findings.broken("Progress", "nothing is wrong any more, but %s", outcome);
      return;
    }
    // A later loss may hide nothing: single entries were trimmed there.
    long lost =
        !given.isEmpty() && given.getFirst() instanceof Given.Lost(long before) ? before : 0;
    List<Given> expected = new ArrayList<>();
    for (Given.Entry entry : streams.getOrDefault(stream, List.of())) {
      if (entry.at() >= lost) {
        expected.add(entry);
      }
    }
    List<Given> entries = given.stream().filter(Given.Entry.class::isInstance).toList();
    if (!entries.equals(expected)) {
      findings.broken(
          "I6, streams", "stream %s has %s, but a reader got %s", stream, expected, given);
    }
  }

  private static List<Given> all(StreamReader reader) {
    List<Given> all = new ArrayList<>();
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry -> all.add(CallHistory.given(entry));
        case StreamRead.Trimmed(var before) -> all.add(new Given.Lost(before.value()));
        case StreamRead.Absent end -> {
          return all;
        }
      }
    }
  }

  // --------------------------------------------------------------------------------------- indexes

  private void compareIndexes(Layout layout, StreamId stream) {
    for (Endpoint unit : layout.logUnits()) {
      NavigableMap<Long, Long> index = new TreeMap<>();
      long mark = readIndex(layout, unit, stream, index);
      index.forEach((address, at) -> checkIndexed(unit, stream, address, at));
      List<Long> missing = new ArrayList<>();
      for (Given.Entry entry : streams.getOrDefault(stream, List.of())) {
        if (isItsOwn(layout, unit, stream, entry.address())
            && entry.at() >= mark
            && !index.containsKey(entry.address())) {
          missing.add(entry.address());
        }
      }
      checkMissing(layout, unit, stream, missing);
    }
  }

  /** Returns whether the unit is a replica of the address in the log or in the stream. */
  private static boolean isItsOwn(Layout layout, Endpoint unit, StreamId stream, long address) {
    LayoutSegment segment = layout.segmentOf(address);
    return segment.chainOf(address).replicas().contains(unit)
        || (!segment.stream().isEmpty()
            && segment.streamChainOf(stream, address).replicas().contains(unit));
  }

  /**
   * Reads the unit's index in pieces, from the end back. Returns the address before which the
   * stream is trimmed.
   */
  private long readIndex(
      Layout layout, Endpoint unit, StreamId stream, NavigableMap<Long, Long> index) {
    long below = Long.MAX_VALUE;
    while (true) {
      var request =
          new LogUnitRequest.FindInStreams(
              layout.epoch(), List.of(StreamQuery.below(stream, below)), PIECE);
      var found = inspection.ask(unit, request, LogUnitReply.FoundInStreams.class).found();
      List<Occurrence> newestFirst = found.getFirst().newestFirst();
      newestFirst.forEach(one -> index.put(one.address(), one.streamAddress()));
      if (newestFirst.size() < PIECE) {
        return found.getFirst().trimmedBefore();
      }
      below = newestFirst.getLast().address();
    }
  }

  /** Checks that the log agrees with the index, or that the entry was trimmed. */
  private void checkIndexed(Endpoint unit, StreamId stream, long address, long at) {
    boolean isSo =
        switch (log.getOrDefault(address, new LogEntry.Unwritten(new Address(address)))) {
          case LogEntry.Data entry ->
              entry.streams().stream()
                  .anyMatch(h -> h.stream().equals(stream) && h.streamAddress() == at);
          case LogEntry.Trimmed trimmed -> true;
          case LogEntry.Hole hole -> false;
          case LogEntry.Unwritten unwritten -> false;
        };
    if (!isSo) {
      findings.broken("Index", "%s says that %s is at %s of stream %s", unit, address, at, stream);
    }
  }

  /**
   * Checks that entries missing in the index are trimmed. A client may have crashed during a trim.
   */
  private void checkMissing(Layout layout, Endpoint unit, StreamId stream, List<Long> missing) {
    if (missing.isEmpty()) {
      return;
    }
    long[] addresses = missing.stream().mapToLong(Long::longValue).toArray();
    var request = new LogUnitRequest.Inspect(layout.epoch(), new AddressSet.Listed(addresses));
    List<AddressState> states = inspection.ask(unit, request, LogUnitReply.States.class).states();
    for (int i = 0; i < addresses.length; i++) {
      if (states.get(i) != AddressState.TRIMMED) {
        findings.broken(
            "Index", "%s does not know that %s is in stream %s", unit, addresses[i], stream);
      }
    }
  }
}
