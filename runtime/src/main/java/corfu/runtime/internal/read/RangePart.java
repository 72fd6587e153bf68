package corfu.runtime.internal.read;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.Reply;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One stripe's part of a range that is read in bulk, by requests for slices of it. A reply answers
 * as many addresses as it has room for; the sizes of earlier entries tell how many. Several slices
 * are in flight at the same time. So the server fetches some of them, the network carries others,
 * and this client processes the received ones. For one thread.
 */
final class RangePart {

  /** The bytes of a reply: few enough for a server to send one while it fetches the next. */
  static final int REPLY_BYTES = 256 << 10;

  private static final int UNDER_WAY = 4;

  final Endpoint server;
  private final AddressSet.Strided addresses;
  private final int replyBytes;
  private final EntrySize size;
  private final ArrayDeque<Slice> left = new ArrayDeque<>();
  private final ArrayDeque<Asked> underWay = new ArrayDeque<>();
  private int aReply;

  private record Slice(int first, int count) {}

  private record Asked(Slice slice, CompletableFuture<Reply> reply) {}

  /** The receiver of the outcome of each address. */
  interface Visitor {
    void visit(ReadOutcome outcome, long address, Endpoint server);
  }

  /**
   * @param replyBytes the bytes that a reply has room for
   */
  RangePart(Endpoint server, AddressSet.Strided addresses, int replyBytes, EntrySize size) {
    this.server = server;
    this.addresses = addresses;
    this.replyBytes = replyBytes;
    this.size = size;
    this.aReply = size.entriesIn(replyBytes);
    if (addresses.count() > 0) {
      left.add(new Slice(0, addresses.count()));
    }
  }

  boolean isDone() {
    return left.isEmpty() && underWay.isEmpty();
  }

  /** Asks for slices, as many as may be in flight. */
  void ask(Function<AddressSet, CompletableFuture<Reply>> send) {
    while (underWay.size() < UNDER_WAY && !left.isEmpty()) {
      Slice whole = left.removeFirst();
      Slice slice = new Slice(whole.first, Math.min(whole.count, aReply));
      leave(whole, slice.count);
      underWay.add(new Asked(slice, send.apply(addressesOf(slice))));
    }
  }

  private AddressSet addressesOf(Slice slice) {
    return new AddressSet.Strided(addresses.at(slice.first), addresses.stride(), slice.count);
  }

  /** Waits for the oldest slice in flight. */
  void take(Visitor visitor) {
    Asked asked = underWay.removeFirst();
    List<ReadOutcome> outcomes =
        Servers.await(server, asked.reply, LogUnitReply.Reads.class).outcomes();
    if (outcomes.isEmpty()) {
      throw RetryableException.server(
          server, false, "the log unit at " + server + " answered for none of the addresses");
    }
    int first = asked.slice.first;
    long bytes = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      ReadOutcome outcome = outcomes.get(i);
      bytes += outcome instanceof ReadOutcome.Found(var entry) ? entry.lengthBytes() : 0;
      visitor.visit(outcome, addresses.at(first + i), server);
    }
    size.seen(bytes, outcomes.size());
    leave(asked.slice, outcomes.size());
    if (outcomes.size() < asked.slice.count) {
      aReply = Math.max(1, outcomes.size());
    } else if (bytes < replyBytes / 2) {
      aReply = Math.max(aReply, 2 * outcomes.size());
    }
  }

  /**
   * Puts the rest of a slice, behind its first {@code first} addresses, back to the front of the
   * queue.
   */
  private void leave(Slice slice, int first) {
    if (first < slice.count) {
      left.addFirst(new Slice(slice.first + first, slice.count - first));
    }
  }
}
