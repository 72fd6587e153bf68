package corfu.roles.sequencer;

import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.roles.Lease;
import corfu.roles.Role;
import corfu.roles.SealedEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Issues tokens, also in streams and under conditions. It is the only part of Corfu that orders
 * appends. Its state may be lost: a new epoch starts a new sequencer (CORFU, section 3.3). Not
 * thread-safe: a role lives on one thread.
 */
public final class Sequencer implements Role<SequencerRequest>, SealedEpochs, AutoCloseable {

  private final RequestLimits limits;
  private final SequencerOptions options;
  private final long incarnation;
  private final Lease lease;

  private Epoch epoch = Epoch.NONE; // serves no requests until reconfiguration has started it
  private Epoch sealed = Epoch.NONE;
  private Epoch handedOver = Epoch.NONE; // sealed, with its streams kept for the next epoch
  private long claims; // the number of accepted seals and starts
  private long next;
  private SequencerStreams streams;

  /** Creates a sequencer with default options, which waits for its first start. */
  public Sequencer(Limits limits, long incarnation, Lease lease) {
    this(limits, SequencerOptions.DEFAULT, incarnation, lease);
  }

  /**
   * Creates a sequencer that waits for its first start.
   *
   * @param limits the limits of one request
   * @param options how much it remembers
   * @param incarnation a random number, another one for each start of the process
   * @param lease without a valid lease, the sequencer does not tell the tail, because another
   *     sequencer may have been started and be ahead. It still issues tokens, because the log units
   *     of a later epoch refuse writes with them.
   */
  public Sequencer(Limits limits, SequencerOptions options, long incarnation, Lease lease) {
    this.limits = new RequestLimits(limits);
    this.options = options;
    this.incarnation = incarnation;
    this.lease = lease;
    this.streams = new SequencerStreams(options, next);
  }

  /** Returns the newest epoch in which the sequencer was started or sealed. */
  public Epoch epoch() {
    return epoch.isBefore(sealed) ? sealed : epoch;
  }

  /** Returns the role's state; {@link Health.State#IDLE} before the first start. */
  public Health.State state() {
    if (epoch.equals(Epoch.NONE)) {
      return Health.State.IDLE;
    }
    return isOver(epoch) ? Health.State.SEALED : Health.State.SERVING;
  }

  @Override
  public Count counted() {
    return new Count(epoch(), claims);
  }

  /** {@inheritDoc} A sequencer that was started in such an epoch waits for its next start. */
  @Override
  public void unsealBeyond(Epoch decided, Count counted) {
    if (counted.count() != claims || !decided.isBefore(epoch())) {
      return;
    }
    if (decided.isBefore(epoch)) {
      epoch = Epoch.NONE;
      next = 0;
      forgetStreams();
    }
    sealed = decided;
  }

  /** Returns the number of streams that it knows in its epoch. */
  public int streams() {
    return streams.count();
  }

  /** Returns the memory outside the heap in bytes. */
  public long memoryBytes() {
    return streams.memoryBytes();
  }

  /** Frees the memory. No method may be called afterwards. */
  @Override
  public void close() {
    streams.close();
  }

  @Override
  public void handle(SequencerRequest request, Consumer<Reply> reply) {
    reply.accept(
        switch (request) {
          case SequencerRequest.Next ask ->
              refusal(ask.epoch())
                  .or(() -> limits.refusal(ask.count()))
                  .or(() -> refusalAtTheEnd(ask.count()))
                  .orElseGet(() -> issue(ask.count()));
          case SequencerRequest.NextInStreams ask ->
              refusal(ask.epoch())
                  .or(() -> limits.refusal(ask))
                  .or(() -> refusalAtTheEnd(ask.wishes().size()))
                  .or(() -> admit(ask))
                  .orElseGet(() -> issue(ask.wishes()));
          case SequencerRequest.Adopt adopt ->
              refusal(adopt.epoch())
                  .or(() -> limits.refusal(adopt))
                  .or(() -> streams.adopt(adopt.to(), adopt.ends()))
                  .orElseGet(() -> adopt(adopt.to()));
          case SequencerRequest.AskTail ask ->
              refusal(ask.epoch())
                  .or(this::refusalWithoutLease)
                  .orElseGet(() -> new SequencerReply.Tail(next));
          case SequencerRequest.AskStreams ask ->
              refusal(ask.epoch())
                  .or(this::refusalWithoutLease)
                  .or(() -> limits.refusal(ask))
                  .or(() -> streams.admit(ask.streams(), List.of(), ask.known()))
                  .orElseGet(() -> ends(ask.streams()));
          case SequencerRequest.Start start -> start(start);
          case SequencerRequest.Seal seal -> seal(seal);
        });
  }

  /**
   * Continues behind a mirror's copies: their tokens were issued elsewhere, and they are in the
   * log.
   */
  private Reply adopt(long to) {
    next = Math.max(next, to);
    return new SequencerReply.Tail(next);
  }

  private Reply issue(int count) {
    long first = next;
    next += count;
    return new SequencerReply.Tokens(first, count);
  }

  /** Issues tokens for the wishes in order. Each wish sees the changes of the earlier ones. */
  private Reply issue(List<TokenWish> wishes) {
    List<TokenOutcome> outcomes = new ArrayList<>(wishes.size());
    for (TokenWish wish : wishes) {
      TokenOutcome outcome = streams.issue(wish, next);
      if (outcome instanceof TokenOutcome.Issued) {
        next++;
      }
      outcomes.add(outcome);
    }
    return new SequencerReply.StreamTokens(outcomes);
  }

  private Optional<Reply> admit(SequencerRequest.NextInStreams ask) {
    List<StreamId> named = new ArrayList<>(ask.wishes().size());
    ask.wishes().forEach(wish -> addStreams(wish.writes(), named));
    List<StreamId> written = List.copyOf(named);
    ask.wishes()
        .forEach(wish -> wish.condition().ifPresent(under -> addStreams(under.reads(), named)));
    return streams.admit(named, written, ask.known());
  }

  private static void addStreams(List<StreamPart> parts, List<StreamId> to) {
    for (StreamPart part : parts) {
      to.add(part.stream());
    }
  }

  private Reply ends(List<StreamId> asked) {
    List<StreamPosition> ends = new ArrayList<>(asked.size());
    for (StreamId stream : asked) {
      ends.add(streams.end(stream));
    }
    return new SequencerReply.StreamEnds(next, streams.floor(), ends);
  }

  private Optional<Reply> refusalAtTheEnd(int count) {
    return count <= Long.MAX_VALUE - next
        ? Optional.empty()
        : Optional.of(
            new Failure.Refused(
                Failure.Cause.TOO_LARGE,
                "the log's addresses end at 2^63 - 1: after "
                    + next
                    + " there are no "
                    + count
                    + " left"));
  }

  private Optional<Reply> refusalWithoutLease() {
    return lease.isValidIn(epoch)
        ? Optional.empty()
        : Optional.of(
            new Failure.NotServing(
                "this sequencer has no lease for epoch "
                    + epoch
                    + ": no majority of the layout servers has lately confirmed that it is still"
                    + " the one; ask again, or ask them for a newer layout"));
  }

  /**
   * Starts the sequencer in one epoch. Tokens of an older epoch that nobody has used are void (R2),
   * and used ones are below {@code start.next()} (R6). Only the same sequencer can continue with
   * its knowledge of streams; void tokens then count as those of dead writers.
   */
  private Reply start(SequencerRequest.Start start) {
    if (start.epoch().equals(Epoch.NONE) || start.next() < 0) {
      return new Failure.Refused(
          Failure.Cause.MALFORMED,
          "a sequencer starts in epoch 1 or later and at address 0 or later, but not in epoch "
              + (start.epoch() + " at " + start.next()));
    }
    if (isOver(start.epoch())) {
      return new Failure.Sealed(epoch());
    }
    if (start.incarnation() != incarnation) {
      return new Failure.NotServing(
          "this sequencer has restarted since epoch "
              + (start.epoch()
                  + " was prepared, and may have issued tokens in between; seal again"));
    }
    claims++;
    if (epoch.isBefore(start.epoch())) {
      boolean keepsStreams = isContinued(start);
      epoch = start.epoch();
      next = start.next();
      if (!keepsStreams) {
        forgetStreams();
      }
      handedOver = Epoch.NONE;
    }
    return Reply.Done.DONE; // a second start of one epoch must not issue its tokens again
  }

  private boolean isContinued(SequencerRequest.Start start) {
    return start.streams() == KnownStreams.KEPT
        && start.next() == next
        && !handedOver.equals(Epoch.NONE)
        && handedOver.next().equals(start.epoch());
  }

  /**
   * Seals an epoch, even if the sequencer was never started: a late start of a sealed epoch must be
   * refused.
   */
  private Reply seal(SequencerRequest.Seal seal) {
    claims++;
    boolean keepsStreams = seal.streams() == KnownStreams.KEPT;
    if (sealed.isBefore(seal.epoch())) {
      sealed = seal.epoch();
      if (keepsStreams && epoch.equals(sealed)) {
        handedOver = sealed;
      } else if (isOver(epoch)) {
        forgetStreams();
      }
    }
    return keepsStreams
        ? new SequencerReply.HandedOver(next, incarnation, epoch)
        : new SequencerReply.SealedAt(next, incarnation);
  }

  /** Forgets all streams, because they belong to the old epoch; only {@link #next} remains. */
  private void forgetStreams() {
    handedOver = Epoch.NONE;
    streams.close();
    streams = new SequencerStreams(options, next);
  }

  /** Returns the reason to refuse a request of this epoch, or empty if it may be served. */
  private Optional<Reply> refusal(Epoch asked) {
    if (isOver(asked)) {
      return Optional.of(new Failure.Sealed(epoch()));
    }
    if (epoch.equals(Epoch.NONE)) {
      return Optional.of(
          new Failure.NotServing(
              "this sequencer has not been started: a reconfiguration must hand it the next address"
                  + " of epoch "
                  + asked));
    }
    return asked.equals(epoch) ? Optional.empty() : Optional.of(new Failure.Behind(epoch()));
  }

  private boolean isOver(Epoch asked) {
    boolean isSealed = !sealed.isBefore(asked) && !sealed.equals(Epoch.NONE);
    return isSealed || asked.isBefore(epoch);
  }
}
