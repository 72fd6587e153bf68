package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.EntryPart;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.LogEntries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads parts of several entries. Each chain's tail is asked, because every entry that it holds is
 * complete. If the tail holds the entry but its blocks are damaged, the replicas before it are
 * asked. If blocks do not suffice, the whole entry is read: the entry may be in flight, trimmed, or
 * unreadable everywhere, or the log unit may not know the request.
 */
final class PartBatch {

  private final ClientContext context;
  private final List<PendingPart> reads;
  private final Consumer<PendingPart> wholeWay;
  private final Set<PendingPart> whole = new HashSet<>();

  /**
   * @param wholeWay the handler of reads that need the whole entry
   */
  PartBatch(ClientContext context, List<PendingPart> reads, Consumer<PendingPart> wholeWay) {
    this.context = context;
    this.reads = reads;
    this.wholeWay = wholeWay;
  }

  /**
   * Ends the reads of the batch, or hands them over. The earliest deadline is the batch's deadline.
   *
   * @return the unfinished reads that have more time than the batch had
   */
  List<PendingPart> run() {
    Deadline deadline = Deadline.earliest(reads.stream().map(read -> read.deadline));
    try {
      context.retryLoop().untilDone("read parts of entries", deadline, this::attempt);
      return List.of();
    } catch (RuntimeException failure) {
      List<PendingPart> rest = new ArrayList<>();
      for (PendingPart read : unfinished()) {
        if (deadline.hasPassed() && !read.deadline.isNear()) {
          rest.add(read);
        } else {
          read.done.completeExceptionally(failure);
        }
      }
      return rest;
    }
  }

  private Void attempt(Layout layout, Deadline deadline) {
    List<PendingPart> rest = unfinished();
    while (!rest.isEmpty()) {
      Map<Endpoint, List<PendingPart>> byServer = new LinkedHashMap<>();
      for (PendingPart read : rest) {
        replica(read, layout)
            .ifPresent(
                server -> byServer.computeIfAbsent(server, any -> new ArrayList<>()).add(read));
      }
      askAll(byServer, layout, deadline);
      rest = unfinished(); // includes the reads that did not fit into a reply
    }
    return null;
  }

  private List<PendingPart> unfinished() {
    return reads.stream().filter(read -> !read.done.isDone() && !whole.contains(read)).toList();
  }

  /** Returns the replica to ask for a part, or ends the read if there is none. */
  private Optional<Endpoint> replica(PendingPart read, Layout layout) {
    if (layout.isBefore(read.address())) {
      read.done.complete(new EntryPart.Trimmed(new Address(read.address())));
      return Optional.empty();
    }
    Chain chain = layout.chainOf(read.address());
    Optional<Endpoint> replica = chain.isLost() ? Optional.empty() : read.replica(chain);
    if (replica.isEmpty()) {
      readWhole(read);
    }
    return replica;
  }

  private void askAll(Map<Endpoint, List<PendingPart>> byServer, Layout layout, Deadline deadline) {
    Map<Endpoint, LogUnitRequest.ReadBlocks> questions = new LinkedHashMap<>();
    byServer.forEach(
        (server, group) -> {
          List<PayloadRange> ranges = group.stream().map(read -> read.range).toList();
          int maxBytes = context.options().maxBatchBytes();
          questions.put(server, new LogUnitRequest.ReadBlocks(layout.epoch(), ranges, maxBytes));
        });
    for (var sent : context.servers().askAll(questions, deadline).entrySet()) {
      Endpoint server = sent.getKey();
      List<PendingPart> group = byServer.getOrDefault(server, List.of());
      Servers.awaitIfKnown(server, sent.getValue(), LogUnitReply.FoundBlocks.class)
          .ifPresentOrElse(
              found -> apply(found.outcomes(), group, server),
              () -> group.forEach(this::readWhole));
    }
  }

  private void apply(List<BlocksOutcome> outcomes, List<PendingPart> group, Endpoint server) {
    if (outcomes.isEmpty()) {
      throw RetryableException.server(
          server, false, "the log unit at " + server + " answered for none of the ranges");
    }
    for (int i = 0; i < outcomes.size(); i++) {
      apply(outcomes.get(i), group.get(i));
    }
  }

  private void apply(BlocksOutcome outcome, PendingPart read) {
    switch (outcome) {
      case BlocksOutcome.Found(EntryBlocks blocks)
          when blocks.covers(read.range) && blocks.isIntact() ->
          read.complete(blocks);
      case BlocksOutcome.Found damaged -> read.isUnreadable();
      case BlocksOutcome.Whole(Entry entry)
          when entry.address() == read.address() && entry.isIntact() ->
          read.complete(LogEntries.of(entry));
      case BlocksOutcome.Whole damaged -> read.isUnreadable();
      case BlocksOutcome.Corrupt corrupt -> read.isUnreadable();
      case BlocksOutcome.Unconfirmed unconfirmed -> readWhole(read);
      case BlocksOutcome.Unwritten unwritten -> readWhole(read);
      case BlocksOutcome.Forbidden forbidden -> readWhole(read);
      case BlocksOutcome.Trimmed trimmed -> readWhole(read);
    }
  }

  private void readWhole(PendingPart read) {
    whole.add(read);
    wholeWay.accept(read);
  }
}
