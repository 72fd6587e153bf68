package corfu.runtime.mirror;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Origin;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.NoSpaceException;
import corfu.runtime.internal.LogClient;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.repair.EntryWrites;
import corfu.runtime.internal.repair.Trimmer;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes another cluster's entries into this one, at the same addresses. For mirrors, whose layout
 * names their source ({@link Origin}). Readers see the entries of a piece when all of them are
 * complete.
 *
 * <p>An entry is offered to its head only when the heads of all entries before it hold theirs. So
 * at any seal, the heads hold the entries without a gap. The epoch that begins then, of a mirror or
 * not, continues behind a prefix of the other cluster's log.
 *
 * <p>A repeated write does no harm: an entry's append id follows from its source and address, and
 * registers are written once. So any number of writers may write the same entries. Thread-safe.
 */
public final class Import {

  /** The reasons why an entry can never be written. */
  public interface Refusals {
    /**
     * The cluster is no mirror any more, or mirrors another source.
     *
     * @return the exception for the writer
     */
    RuntimeException isNoMirror(Layout layout);

    /**
     * The address holds an entry that did not come from the source.
     *
     * @return the exception for the writer
     */
    RuntimeException hasDiverged(Address address);
  }

  private final ClientContext context;
  private final ChainRepair chainRepair;
  private final Trimmer trimmer;
  private final Origin origin;
  private final Refusals refusals;

  /**
   * @param target the mirror
   * @param origin the expected source and streams; the tail from which on it is complete does not
   *     matter
   */
  public Import(Corfu target, Origin origin, Refusals refusals) {
    LogClient client = (LogClient) target.log();
    this.context = client.context();
    this.chainRepair = client.chainRepair();
    this.trimmer = client.trimmer();
    this.origin = origin;
    this.refusals = refusals;
  }

  /**
   * Writes a piece of the source's log, from the mirror's tail on. Entries of mirrored streams
   * become entries of those streams. Everything else becomes a hole.
   *
   * @param piece log entries without gaps in ascending order, none of them unwritten
   */
  public void write(List<LogEntry> piece) {
    List<Entry> entries = piece.stream().map(this::entry).toList();
    Address from = piece.getFirst().address();
    long to = piece.getLast().address().value() + 1;
    context
        .retryLoop()
        .untilDone(
            "mirror addresses " + from + " to " + to,
            (layout, deadline) -> {
              check(layout);
              List<Entry> complete = writeToHeads(entries, layout, deadline);
              writeBehindHeads(complete, layout, deadline);
              adopt(entries, to, layout, deadline);
              return to;
            });
  }

  /**
   * Continues at this address, which may be beyond the mirror's tail, and trims everything before
   * it.
   */
  public void skipTo(Address to) {
    context
        .retryLoop()
        .untilDone(
            "mirror nothing below " + to,
            (layout, deadline) -> {
              check(layout);
              var trim = new LogUnitRequest.PrefixTrim(layout.epoch(), to.value());
              trimmer.askAll(layout, trim, deadline);
              adopt(List.of(), to.value(), layout, deadline);
              return to;
            });
  }

  private void check(Layout layout) {
    boolean isIts =
        layout
            .origin()
            .filter(its -> its.source().equals(origin.source()))
            .filter(its -> its.streams().equals(origin.streams()))
            .isPresent();
    if (!isIts) {
      throw refusals.isNoMirror(layout);
    }
  }

  private Entry entry(LogEntry read) {
    Address address = read.address();
    AppendId id =
        new AppendId(
            31L * origin.source().value().getMostSignificantBits()
                + origin.source().value().getLeastSignificantBits()
                + 17L * origin.streams().hashCode(),
            address.value());
    return switch (read) {
      case LogEntry.Data data when isTaken(data) ->
          Entry.data(address.value(), id, headers(data), data.payload());
      case LogEntry.Unwritten nothing ->
          throw new IllegalArgumentException(nothing + " cannot be mirrored yet");
      case LogEntry other -> Entry.hole(address.value(), id);
    };
  }

  private boolean isTaken(LogEntry.Data data) {
    return origin.streams().isEmpty() || !headers(data).isEmpty();
  }

  private List<StreamHeader> headers(LogEntry.Data data) {
    return data.streams().stream().filter(header -> origin.takes(header.stream())).toList();
  }

  /**
   * Writes data entries to their heads one after the other. Holes come last, all at the same time,
   * because a reader that finds nothing there writes a hole, too.
   *
   * @return the entries to write to the replicas behind their heads
   */
  private List<Entry> writeToHeads(List<Entry> entries, Layout layout, Deadline deadline) {
    List<Entry> complete = new ArrayList<>();
    for (Entry entry : entries) {
      if (!entry.isHole() && !layout.isBefore(entry.address())) {
        Endpoint head = layout.path(entry).getFirst();
        var request = new LogUnitRequest.Write(layout.epoch(), List.of(entry));
        var writes = context.servers().ask(head, request, LogUnitReply.Writes.class, deadline);
        take(entry, writes.outcomes().getFirst(), head, layout, deadline, complete);
      }
    }
    List<Entry> holes = entries.stream().filter(Entry::isHole).toList();
    writeTogether(holes, 0, layout, deadline, complete);
    return complete;
  }

  private void writeBehindHeads(List<Entry> entries, Layout layout, Deadline deadline) {
    List<Entry> rest = entries;
    for (int step = 1; !rest.isEmpty(); step++) {
      List<Entry> goOn = new ArrayList<>();
      writeTogether(rest, step, layout, deadline, goOn);
      rest = goOn;
    }
    List<Long> addresses = entries.stream().map(Entry::address).toList();
    chainRepair.confirm(addresses, layout, deadline);
  }

  /** Writes each entry to the register number {@code step} of its path, if it has one. */
  private void writeTogether(
      List<Entry> entries, int step, Layout layout, Deadline deadline, List<Entry> goOn) {
    Map<Endpoint, List<Entry>> byServer = new LinkedHashMap<>();
    for (Entry entry : entries) {
      List<Endpoint> path = layout.isBefore(entry.address()) ? List.of() : layout.path(entry);
      if (step < path.size()) {
        byServer.computeIfAbsent(path.get(step), server -> new ArrayList<>()).add(entry);
      }
    }
    EntryWrites.writeAll(
        byServer,
        context.servers(),
        layout,
        deadline,
        (server, entry, outcome) -> take(entry, outcome, server, layout, deadline, goOn));
  }

  private void take(
      Entry entry,
      WriteOutcome outcome,
      Endpoint server,
      Layout layout,
      Deadline deadline,
      List<Entry> goOn) {
    switch (outcome) {
      case WriteOutcome.Written written -> goOn.add(entry);
      case WriteOutcome.Overwritten(AppendId winner, EntryKind kind) -> {
        if (winner.equals(entry.id()) && kind == entry.kind()) {
          goOn.add(entry); // from an earlier attempt, or from another writer
        } else if (entry.isHole() || winner.equals(entry.id())) {
          // another writer came before the source trimmed it, or a reader filled it
          var unused = chainRepair.carryOn(entry.address(), layout, deadline);
        } else {
          throw refusals.hasDiverged(new Address(entry.address()));
        }
      }
      case WriteOutcome.Corrupt held when !server.equals(layout.path(entry).getFirst()) ->
          goOn.add(entry); // the entry that its head holds, no other
      case WriteOutcome.Corrupt unreadable ->
          throw RetryableException.server(
              server,
              false,
              "the log unit at %s cannot read the entry at address %d"
                  .formatted(server, entry.address()));
      case WriteOutcome.Trimmed trimmed -> {} // trimmed in the mirror, too, by now
      case WriteOutcome.NoSpace full -> throw new NoSpaceException(server);
      case WriteOutcome.Damaged damaged ->
          throw RetryableException.server(
              server, false, "an entry was damaged in transit to " + server);
    }
  }

  /** Makes the entries visible to readers: moves the sequencer behind them. */
  private void adopt(List<Entry> entries, long to, Layout layout, Deadline deadline) {
    Map<StreamId, StreamPosition> ends = new LinkedHashMap<>();
    for (Entry entry : entries) {
      for (StreamHeader header : entry.streams()) {
        var place = new StreamPosition(header.streamAddress(), header.previous());
        ends.put(header.stream(), place.after(entry.address()));
      }
    }
    List<StreamTail> tails = new ArrayList<>();
    ends.forEach((stream, end) -> tails.add(new StreamTail(stream, end)));
    Optional<Endpoint> sequencer = layout.sequencers().stream().findFirst();
    if (sequencer.isPresent()) { // without a sequencer, readers ask the heads
      var request = new SequencerRequest.Adopt(layout.epoch(), to, tails);
      var unused =
          context.servers().ask(sequencer.get(), request, SequencerReply.Tail.class, deadline);
    }
  }
}
