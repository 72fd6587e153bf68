package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Where the log ends, and the right to try the next addresses. A layout without a sequencer is
 * served, too: then clients guess the end from the heads of the chains, and contend (CORFU, section
 * 3.3: the sequencer is but an optimisation). Thread-safe.
 */
final class Tokens {

  private final Servers servers;

  Tokens(Servers servers) {
    this.servers = servers;
  }

  /** The first of {@code count} addresses that the caller may try to write. */
  long next(Layout layout, int count, Deadline deadline) {
    if (layout.sequencers().isEmpty()) {
      return highestOfHeads(layout, deadline);
    }
    Endpoint sequencer = layout.sequencers().getFirst();
    var tokens =
        servers.ask(
            sequencer,
            new SequencerRequest.Next(layout.epoch(), count),
            SequencerReply.Tokens.class,
            deadline);
    return tokens.first();
  }

  /** The address behind the last one issued; every completed append is below it. */
  long tail(Layout layout, Deadline deadline) {
    if (layout.sequencers().isEmpty()) {
      return highestOfHeads(layout, deadline);
    }
    Endpoint sequencer = layout.sequencers().getFirst();
    return servers
        .ask(
            sequencer,
            new SequencerRequest.AskTail(layout.epoch()),
            SequencerReply.Tail.class,
            deadline)
        .next();
  }

  /** Only the open segment is asked: nothing is appended to the others any more. */
  private long highestOfHeads(Layout layout, Deadline deadline) {
    List<Chain> chains = layout.openSegment().log();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Chain chain : chains) {
      replies.add(servers.send(chain.head(), new LogUnitRequest.AskTail(layout.epoch()), deadline));
    }
    long highest = layout.openSegment().start();
    for (int i = 0; i < chains.size(); i++) {
      var tail = Servers.await(chains.get(i).head(), replies.get(i), LogUnitReply.Tail.class);
      highest = Math.max(highest, tail.next());
    }
    return highest;
  }
}
