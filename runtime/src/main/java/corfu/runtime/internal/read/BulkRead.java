package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.LogEntries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range. Each stripe's part of it has requests of its own, and all stripes are read at the
 * same time. If the tail of a chain cannot answer for an address, the read takes the slow way,
 * after one look-up of the log's end: adjacent holes together, everything else one by one.
 */
final class BulkRead {

  /**
   * The number of addresses that are at first resolved one by one, before others are filled
   * together.
   */
  private static final int ONE_BY_ONE = 16;

  private static final int MOST_ONE_BY_ONE = 1024;

  private final ReadParts parts;
  private final ClientContext context;
  private final long from;
  private final @Nullable LogEntry[] results;
  private final List<Long> trimmedAtTail = new ArrayList<>();

  /**
   * @param count the number of addresses, small enough for all entries to be in memory
   */
  BulkRead(ReadParts parts, long from, int count) {
    this.parts = parts;
    this.context = parts.context();
    this.from = from;
    this.results = new LogEntry[count];
  }

  List<LogEntry> run() {
    String what = "read addresses " + from + " to " + (from + results.length - 1);
    CallScope call = context.retryLoop().call();
    try {
      context.retryLoop().untilDone(what, call.deadline(), this::readFromTails);
      resolveRest(what);
    } finally {
      call.end();
    }
    return Arrays.stream(results).map(BulkRead::known).toList();
  }

  private static LogEntry known(@Nullable LogEntry entry) {
    if (entry == null) {
      throw new IllegalStateException("a bulk read has left an address out");
    }
    return entry;
  }

  private Void readFromTails(Layout layout, Deadline deadline) {
    trimmedAtTail.clear();
    List<RangePart> ranges = new ArrayList<>();
    long end = from + results.length;
    for (LayoutSegment segment : layout.segments()) {
      long low = Math.max(from, segment.start());
      if (low < Math.min(end, segment.end())) {
        for (int stripe = 0; stripe < segment.stripes(); stripe++) {
          Chain chain = segment.log().get(stripe);
          if (!chain.isLost()) {
            ranges.add(
                new RangePart(
                    chain.tail(),
                    segment.addressesOf(stripe, low, end),
                    replyBytes(),
                    parts.entrySize()));
          }
        }
      }
    }
    for (int i = 0; i < results.length && layout.isBefore(from + i); i++) {
      results[i] = new LogEntry.Trimmed(new Address(from + i));
    }
    ranges.removeIf(RangePart::isDone);
    while (!ranges.isEmpty()) {
      ranges.forEach(
          range -> range.ask(addresses -> send(range.server, addresses, layout, deadline)));
      ranges.forEach(range -> range.take(this::apply));
      ranges.removeIf(RangePart::isDone);
    }
    trimOn(layout, deadline);
    return null;
  }

  private CompletableFuture<Reply> send(
      Endpoint server, AddressSet addresses, Layout layout, Deadline deadline) {
    var request = new LogUnitRequest.Read(layout.epoch(), addresses, replyBytes());
    return context.servers().send(server, request, deadline);
  }

  private int replyBytes() {
    return Math.min(context.options().maxBatchBytes(), RangePart.REPLY_BYTES);
  }

  /** Completes trims: other replicas may not know yet of what a tail has trimmed. */
  private void trimOn(Layout layout, Deadline deadline) {
    Map<List<Endpoint>, List<Long>> byHolders = new LinkedHashMap<>();
    for (long address : trimmedAtTail) {
      byHolders
          .computeIfAbsent(
              layout.segmentOf(address).holdersOf(address), holders -> new ArrayList<>())
          .add(address);
    }
    for (List<Long> group : byHolders.values()) {
      long[] addresses = group.stream().mapToLong(Long::longValue).toArray();
      parts.chainRepair().trimOn(new AddressSet.Listed(addresses), layout, deadline);
      for (long address : group) {
        results[(int) (address - from)] = new LogEntry.Trimmed(new Address(address));
      }
    }
  }

  private void apply(ReadOutcome outcome, long address, Endpoint server) {
    int index = (int) (address - from);
    switch (ChainRepair.verified(outcome, address, server)) {
      case ReadOutcome.Found(Entry entry) -> results[index] = LogEntries.of(entry);
      case ReadOutcome.Unconfirmed unconfirmed -> {}
      case ReadOutcome.Trimmed trimmed -> trimmedAtTail.add(address);
      case ReadOutcome.Unwritten unwritten -> {}
      case ReadOutcome.Corrupt corrupt -> {}
      case ReadOutcome.Forbidden forbidden -> throw ChainRepair.forbidden(address, server);
    }
  }

  /**
   * Resolves the addresses that no tail has answered. The log's tail is asked for after the units
   * were. An address at or behind it is unwritten, unless a unit had it.
   */
  private void resolveRest(String what) {
    if (Arrays.stream(results).noneMatch(entry -> entry == null)) {
      return;
    }
    long tail = context.retryLoop().untilDone(what, parts.tokens()::tail);
    List<Long> rest = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] == null && from + i >= tail) {
        results[i] = new LogEntry.Unwritten(new Address(from + i));
      } else if (results[i] == null) {
        rest.add(from + i);
      }
    }
    resolve(rest);
  }

  /**
   * Resolves addresses from the highest one down. The writers of the highest addresses may still
   * come. Once the hole timeout is over for one address, it is over for all older ones, and these
   * are filled together.
   */
  private void resolve(List<Long> unknown) {
    List<Long> rest = unknown;
    List<PendingRead> slow = new ArrayList<>();
    for (int count = ONE_BY_ONE; !rest.isEmpty(); count = Math.min(2 * count, MOST_ONE_BY_ONE)) {
      int highest = Math.max(0, rest.size() - count);
      await(rest.subList(highest, rest.size()).stream().map(parts.slowReads()::start).toList());
      int old = highest;
      while (old > 0 && rest.get(old - 1) >= parts.slowReads().waitedBelow()) {
        old--;
      }
      for (long left : parts.bulkFill().fill(rest.subList(0, old), this::isHole)) {
        slow.add(parts.slowReads().start(left));
      }
      rest = rest.subList(old, highest);
    }
    await(slow);
  }

  private void isHole(long address) {
    results[(int) (address - from)] = new LogEntry.Hole(new Address(address));
  }

  private void await(List<PendingRead> reads) {
    for (PendingRead read : reads) {
      results[(int) (read.address() - from)] = Futures.await(read.done());
    }
  }
}
