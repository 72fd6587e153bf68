package corfu.runtime.internal.token;

import corfu.protocol.Endpoint;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.rpc.Settlement;
import corfu.runtime.internal.stream.StreamUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Tokens and the tail of the log. In a layout without a sequencer, clients guess the tail from the
 * heads of the chains, and contend (CORFU, section 3.3: the sequencer is but an optimisation).
 * Thread-safe.
 */
public final class Tokens {

  /** Requests for more tokens than this serve several callers, who share the cost of a request. */
  private static final int FEW = 32;

  private final Servers servers;
  private final StreamUnits units;
  private final Settlement settlement;

  /** Every address below this was issued, to any client, in an epoch that this client has seen. */
  private final AtomicLong issuedBelow = new AtomicLong();

  public Tokens(Servers servers, StreamUnits units, Settlement settlement) {
    this.settlement = settlement;
    this.servers = servers;
    this.units = units;
  }

  /**
   * Returns whether this client knows, without a request, that a token was issued for the address.
   */
  public boolean isKnownIssued(long address) {
    return address < issuedBelow.get();
  }

  private long issued(long below) {
    if (below > issuedBelow.get()) {
      long unused = issuedBelow.accumulateAndGet(below, Math::max);
    }
    return below;
  }

  /** Returns {@code count} addresses that the caller may try to write. */
  public SequencerReply.Tokens next(Layout layout, int count, Deadline deadline) {
    checkThatItIsNoMirror(layout, deadline);
    if (layout.sequencers().isEmpty()) {
      long first = highestOfHeads(layout, deadline);
      return issued(new SequencerReply.Tokens(first, count));
    }
    Endpoint sequencer = layout.sequencers().getFirst();
    var request = new SequencerRequest.Next(layout.epoch(), count);
    var tokens =
        count > FEW
            ? Servers.await(
                sequencer, servers.send(sequencer, request, deadline), SequencerReply.Tokens.class)
            : servers.ask(sequencer, request, SequencerReply.Tokens.class, deadline);
    return issued(tokens);
  }

  private SequencerReply.Tokens issued(SequencerReply.Tokens tokens) {
    long unused = issued(tokens.first() + tokens.count());
    return tokens;
  }

  /**
   * Returns an outcome for each wish, in their order, with the proof for log units that this client
   * got the tokens.
   *
   * @throws UnavailableException if the layout names no sequencer
   */
  public SequencerReply.StreamTokens next(
      Layout layout, List<TokenWish> wishes, Deadline deadline) {
    checkThatItIsNoMirror(layout, deadline);
    var tokens =
        askKnowing(
            layout,
            known -> new SequencerRequest.NextInStreams(layout.epoch(), wishes, known),
            SequencerReply.StreamTokens.class,
            deadline);
    if (tokens.outcomes().size() != wishes.size()) {
      throw RetryableException.server(
          sequencer(layout),
          true,
          "the sequencer at " + sequencer(layout) + " answered only some of the requested tokens");
    }
    for (TokenOutcome outcome : tokens.outcomes()) {
      if (outcome instanceof TokenOutcome.Issued(long token, var places)) {
        long unused = issued(token + 1);
      }
    }
    return tokens;
  }

  /**
   * Returns where these streams end.
   *
   * @throws UnavailableException if the layout names no sequencer
   */
  public SequencerReply.StreamEnds ends(Layout layout, List<StreamId> streams, Deadline deadline) {
    return askKnowing(
        layout,
        known -> new SequencerRequest.AskStreams(layout.epoch(), streams, known),
        SequencerReply.StreamEnds.class,
        deadline);
  }

  /**
   * Asks the sequencer, which knows no stream when it starts. If it does not know a stream of the
   * request, the client tells it where the stream ended when the epoch began. Only the log units
   * know that. The sequencer does not believe a client that may only read a stream. A server then
   * looks up that stream's end.
   */
  private <R extends SequencerReply> R askKnowing(
      Layout layout,
      Function<List<StreamTail>, SequencerRequest> request,
      Class<R> answer,
      Deadline deadline) {
    Endpoint sequencer = sequencer(layout);
    List<StreamTail> known = List.of();
    boolean isSettled = false;
    while (true) {
      SequencerReply reply =
          servers.ask(sequencer, request.apply(known), SequencerReply.class, deadline);
      if (answer.isInstance(reply)) {
        return answer.cast(reply);
      }
      if (!(reply instanceof SequencerReply.UnknownStreams(long below, List<StreamId> streams))
          || isSettled) {
        throw RetryableException.server(
            sequencer, true, "the sequencer at " + sequencer + " answered with " + reply);
      }
      if (known.isEmpty()) {
        known = units.endsBelow(below, streams, layout, deadline);
      } else {
        settlement.settleStreams(streams, layout, deadline);
        isSettled = true;
      }
    }
  }

  /**
   * Refuses appends to a mirror, where only copied entries have addresses. The layout may be old.
   * If the mirror has been promoted since, the server that is asked for the tail says so.
   */
  private void checkThatItIsNoMirror(Layout layout, Deadline deadline) {
    if (layout.origin().isPresent()) {
      long copied = tail(layout, deadline);
      throw new UnavailableException(
          "cluster %s mirrors cluster %s, up to address %d: append there, or promote the mirror"
                  .formatted(layout.clusterId(), layout.origin().get().source(), copied)
              + " first");
    }
  }

  private static Endpoint sequencer(Layout layout) {
    if (layout.sequencers().isEmpty()) {
      throw new UnavailableException(
          "the layout of epoch "
              + layout.epoch()
              + " names no sequencer; streams need one: add a sequencer");
    }
    return layout.sequencers().getFirst();
  }

  /** Returns the address behind the last issued one. Every completed append is below it. */
  public long tail(Layout layout, Deadline deadline) {
    if (layout.sequencers().isEmpty()) {
      return issued(highestOfHeads(layout, deadline));
    }
    Endpoint sequencer = layout.sequencers().getFirst();
    var ask = new SequencerRequest.AskTail(layout.epoch());
    return issued(servers.ask(sequencer, ask, SequencerReply.Tail.class, deadline).next());
  }

  /**
   * Returns the highest tail of the heads. Asks the open segment only, because others accept no
   * appends.
   */
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
