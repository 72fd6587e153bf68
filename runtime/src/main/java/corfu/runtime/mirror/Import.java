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
import corfu.runtime.internal.repair.Trimmer;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes another cluster's entries into this one, at the addresses that they have there: for
 * mirrors, whose layout says what they mirror ({@link Origin}). What is written is seen by readers
 * when all of a piece is complete.
 *
 * <p>An entry is offered to its head only when the heads of all those before it hold theirs. So
 * whenever somebody seals the heads, what they hold has no gap: the epoch that begins then, whether
 * still a mirror's or not, goes on behind a prefix of the other cluster's log.
 *
 * <p>Writing again does no harm: an entry's append id follows from its source and address, and
 * registers are written once. So any number of writers may do the same. Thread-safe.
 */
public final class Import {

  /** Why something cannot be written, and never will be. */
  public interface Refusals {
    /**
     * The cluster is no mirror any more, or of something else.
     *
     * @return thrown to the one who writes
     */
    RuntimeException isNoMirror(Layout layout);

    /**
     * The address holds what did not come from the source.
     *
     * @return thrown to the one who writes
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
   * @param origin what it is expected to mirror; from which tail on it is complete does not matter
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
   * Writes a piece of the source's log, from the mirror's tail on. Only entries of streams that are
   * mirrored become entries, and are in those of them; everything else becomes a hole.
   *
   * @param piece without gaps in ascending order, none unwritten
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
   * Goes on at this address, which may be beyond the mirror's tail, and gives up everything before
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
   * One after the other, but for holes: those last, all at the same time, since whoever finds
   * nothing there leaves a hole, too.
   *
   * @return those that are to be written to the replicas behind their heads, too
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

  /** Writes each to the register of its path that is its turn, if it has one. */
  private void writeTogether(
      List<Entry> entries, int step, Layout layout, Deadline deadline, List<Entry> goOn) {
    Map<Endpoint, List<Entry>> byServer = new LinkedHashMap<>();
    for (Entry entry : entries) {
      List<Endpoint> path = layout.isBefore(entry.address()) ? List.of() : layout.path(entry);
      if (step < path.size()) {
        byServer.computeIfAbsent(path.get(step), server -> new ArrayList<>()).add(entry);
      }
    }
    Map<Endpoint, LogUnitRequest.Write> writes = new LinkedHashMap<>();
    byServer.forEach(
        (server, group) -> writes.put(server, new LogUnitRequest.Write(layout.epoch(), group)));
    context
        .servers()
        .askAll(writes, deadline)
        .forEach(
            (server, sent) -> {
              var outcomes = Servers.await(server, sent, LogUnitReply.Writes.class).outcomes();
              List<Entry> group = byServer.getOrDefault(server, List.of());
              for (int i = 0; i < group.size(); i++) {
                take(group.get(i), outcomes.get(i), server, layout, deadline, goOn);
              }
            });
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
          goOn.add(entry); // from an earlier try, or another writer's
        } else if (entry.isHole() || winner.equals(entry.id())) {
          // one of two writers came before the source gave it up; or a reader filled it
          var unused = chainRepair.carryOn(entry.address(), layout, deadline);
        } else {
          throw refusals.hasDiverged(new Address(entry.address()));
        }
      }
      case WriteOutcome.Corrupt held when !server.equals(layout.path(entry).getFirst()) ->
          goOn.add(entry); // what its head has, and no other entry
      case WriteOutcome.Corrupt unreadable ->
          throw RetryableException.server(
              server,
              false,
              "the log unit at %s cannot read what it holds at address %d"
                  .formatted(server, entry.address()));
      case WriteOutcome.Trimmed trimmed -> {} // here, too, by now
      case WriteOutcome.NoSpace full -> throw new NoSpaceException(server);
      case WriteOutcome.Damaged damaged ->
          throw RetryableException.server(
              server, false, "an entry was damaged on its way to " + server);
    }
  }

  /** Lets readers see it. */
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
    if (sequencer.isPresent()) { // without one readers ask the heads
      var request = new SequencerRequest.Adopt(layout.epoch(), to, tails);
      var unused =
          context.servers().ask(sequencer.get(), request, SequencerReply.Tail.class, deadline);
    }
  }
}
