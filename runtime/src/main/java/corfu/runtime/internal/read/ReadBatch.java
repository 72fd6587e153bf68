package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.LogEntries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The read protocol, for several addresses at once. Each chain's tail is asked, because every entry
 * that it holds is complete. An address that the tail does not hold, or cannot read, takes the slow
 * way: {@link SlowRead}.
 */
final class ReadBatch {

  private final ClientContext context;
  private final List<PendingRead> reads;
  private final Consumer<PendingRead> slowWay;
  private final Set<PendingRead> slow = new HashSet<>();

  ReadBatch(ReadParts parts, List<PendingRead> reads) {
    this(parts, reads, parts.slowReads()::start);
  }

  /**
   * @param slowWay the handler of reads whose addresses the tails do not hold
   */
  ReadBatch(ReadParts parts, List<PendingRead> reads, Consumer<PendingRead> slowWay) {
    this.context = parts.context();
    this.reads = reads;
    this.slowWay = slowWay;
  }

  /**
   * Ends the reads of the batch, or hands them to the slow way. The earliest deadline is the
   * batch's deadline.
   *
   * @return the unfinished reads that have more time than the batch had
   */
  List<PendingRead> run() {
    Deadline deadline = Deadline.earliest(reads.stream().map(PendingRead::deadline));
    try {
      context.retryLoop().untilDone("read", deadline, this::attempt);
      return List.of();
    } catch (RuntimeException failure) {
      List<PendingRead> rest = new ArrayList<>();
      for (PendingRead read : unfinished()) {
        if (deadline.hasPassed() && !read.deadline().isNear()) {
          rest.add(read);
        } else {
          read.done().completeExceptionally(failure);
        }
      }
      return rest;
    }
  }

  /** Makes one attempt, and leaves the other reads unfinished. */
  void tryOnce() {
    try {
      var unused = attempt(context.layout(), reads.getFirst().deadline());
    } catch (RetryableException notNow) {
      return;
    }
  }

  private Void attempt(Layout layout, Deadline deadline) {
    for (PendingRead read : unfinished()) {
      if (layout.isBefore(read.address())) {
        read.done().complete(new LogEntry.Trimmed(new Address(read.address())));
      } else if (layout.chainOf(read.address()).isLost()) {
        goSlowly(read);
      }
    }
    List<PendingRead> rest = unfinished();
    while (!rest.isEmpty()) {
      Map<Endpoint, List<PendingRead>> byServer = new LinkedHashMap<>();
      for (PendingRead read : rest) {
        byServer
            .computeIfAbsent(layout.chainOf(read.address()).tail(), server -> new ArrayList<>())
            .add(read);
      }
      askAll(byServer, layout, deadline);
      rest = unfinished(); // includes the reads that did not fit into a reply
    }
    return null;
  }

  private List<PendingRead> unfinished() {
    return reads.stream().filter(read -> !read.done().isDone() && !slow.contains(read)).toList();
  }

  private void askAll(Map<Endpoint, List<PendingRead>> byServer, Layout layout, Deadline deadline) {
    Map<Endpoint, LogUnitRequest.Read> questions = new LinkedHashMap<>();
    byServer.forEach(
        (server, group) -> {
          long[] addresses = group.stream().mapToLong(PendingRead::address).toArray();
          AddressSet set =
              addresses.length == 1
                  ? AddressSet.of(addresses[0])
                  : new AddressSet.Listed(addresses);
          var request =
              new LogUnitRequest.Read(layout.epoch(), set, context.options().maxBatchBytes());
          questions.put(server, request);
        });
    for (var sent : context.servers().askAll(questions, deadline).entrySet()) {
      Endpoint server = sent.getKey();
      List<PendingRead> group = byServer.getOrDefault(server, List.of());
      List<ReadOutcome> outcomes =
          Servers.await(server, sent.getValue(), LogUnitReply.Reads.class).outcomes();
      for (int i = 0; i < outcomes.size(); i++) {
        apply(outcomes.get(i), group.get(i), server);
      }
    }
  }

  private void apply(ReadOutcome outcome, PendingRead read, Endpoint server) {
    switch (ChainRepair.verified(outcome, read.address(), server)) {
      case ReadOutcome.Found(Entry entry) -> read.done().complete(LogEntries.of(entry));
      case ReadOutcome.Unconfirmed unconfirmed -> goSlowly(read);
      case ReadOutcome.Trimmed trimmed -> goSlowly(read); // others may not know of the trim yet
      case ReadOutcome.Unwritten unwritten -> goSlowly(read);
      case ReadOutcome.Corrupt corrupt -> goSlowly(read);
      case ReadOutcome.Forbidden forbidden -> goSlowly(read);
    }
  }

  private void goSlowly(PendingRead read) {
    slow.add(read);
    slowWay.accept(read);
  }
}
