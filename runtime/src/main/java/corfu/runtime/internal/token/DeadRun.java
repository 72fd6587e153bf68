package corfu.runtime.internal.token;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A run of addresses that were trimmed or filled before the sequencer issued tokens for them. No
 * append can use their tokens. So the client looks up the end of the run, and moves the sequencer
 * there.
 *
 * <p>This is safe: the heads of the chains decide what an address holds, and all heads have decided
 * every address of the run. The sequencer only moves forward, within the epoch that the heads
 * answered in, so its tail stays linearizable. Thread-safe.
 */
public final class DeadRun {

  /** The number of addresses that one inspection covers for each chain. */
  private static final int PAGE = 1 << 13;

  private final Servers servers;
  private final int page;

  /**
   * @param maxAddressesPerRequest the number of addresses that a server accepts in one request
   */
  public DeadRun(Servers servers, int maxAddressesPerRequest) {
    this.servers = servers;
    this.page = Math.min(PAGE, maxAddressesPerRequest);
  }

  /**
   * Makes the sequencer issue no token for the dead addresses from {@code from} on. Does nothing in
   * a layout without a sequencer, where clients look up the end of the log by themselves.
   *
   * @param from an address behind one that the caller has found dead
   * @throws RetryableException if a head does not answer as it should
   */
  public void stepOver(long from, Layout layout, Deadline deadline) {
    if (layout.sequencers().isEmpty()) {
      return;
    }
    long end = endOf(from, layout, deadline);
    if (end > from) {
      moveSequencer(end, layout, deadline);
    }
  }

  private void moveSequencer(long to, Layout layout, Deadline deadline) {
    Endpoint sequencer = layout.sequencers().getFirst();
    var forward = new SequencerRequest.Adopt(layout.epoch(), to, List.of());
    try {
      var unused = servers.ask(sequencer, forward, SequencerReply.Tail.class, deadline);
    } catch (RetryableException stays) {
      // A sequencer of an older version does not know the request. Then clients use up token after
      // token, as they did before. Any other failure will also fail the next token request.
      return;
    }
  }

  /** Returns the first address from {@code from} on that is not dead, or an address before it. */
  private long endOf(long from, Layout layout, Deadline deadline) {
    LayoutSegment open = layout.openSegment();
    long end = Math.max(Math.max(from, open.start()), trimmedBefore(open, layout, deadline));
    while (!deadline.hasPassed() && end < Long.MAX_VALUE - (long) page * open.stripes()) {
      long pageEnd = end + (long) page * open.stripes();
      end = endIn(end, pageEnd, open, layout, deadline);
      if (end < pageEnd) {
        break;
      }
    }
    return end;
  }

  /**
   * Returns the prefix-trim mark that all heads have reached. The run below it needs no inspection.
   */
  private long trimmedBefore(LayoutSegment open, Layout layout, Deadline deadline) {
    Map<Endpoint, LogUnitRequest.AskTail> asks = new LinkedHashMap<>();
    for (Chain chain : open.log()) {
      asks.put(chain.head(), new LogUnitRequest.AskTail(layout.epoch()));
    }
    long lowest = Long.MAX_VALUE;
    for (Map.Entry<Endpoint, CompletableFuture<Reply>> answer :
        servers.askAll(asks, deadline).entrySet()) {
      var tail = Servers.await(answer.getKey(), answer.getValue(), LogUnitReply.Tail.class);
      lowest = Math.min(lowest, tail.trimmedBefore());
    }
    return lowest;
  }

  private long endIn(long from, long to, LayoutSegment open, Layout layout, Deadline deadline) {
    long end = to;
    for (int stripe = 0; stripe < open.stripes(); stripe++) {
      AddressSet addresses = open.addressesOf(stripe, from, end);
      if (addresses.count() == 0) {
        continue;
      }
      Endpoint head = open.log().get(stripe).head();
      var inspect = new LogUnitRequest.Inspect(layout.epoch(), addresses);
      List<AddressState> states =
          servers.ask(head, inspect, LogUnitReply.States.class, deadline).states();
      int dead = 0;
      while (dead < states.size() && isDead(states.get(dead))) {
        dead++;
      }
      if (dead < addresses.count()) {
        end = addresses.at(dead);
      }
    }
    return end;
  }

  private static boolean isDead(AddressState state) {
    return switch (state) {
      case HOLE, TRIMMED -> true;
      case UNWRITTEN, DATA -> false;
    };
  }
}
