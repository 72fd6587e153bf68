package corfu.roles.sequencer;

import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.Lease;
import corfu.roles.Role;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Issues tokens. The only thing in Corfu that orders, and it holds nothing that can't be lost: a
 * new epoch starts a new one (CORFU, section 3.3). Not thread-safe: a role lives on one thread.
 */
public final class Sequencer implements Role<SequencerRequest> {

  private final int mostTokens;
  private final long incarnation;
  private final Lease lease;

  private Epoch epoch = Epoch.NONE; // serves nobody until reconfiguration has started it
  private Epoch sealed = Epoch.NONE;
  private long next;

  /**
   * A sequencer that waits for its first start.
   *
   * @param limits say how many tokens one request may ask for
   * @param incarnation a random number, another one for each start of the process
   * @param lease without it nobody is told the tail: another sequencer may have been started, and
   *     be ahead. Tokens are issued, for the log units of a later epoch refuse what is written with
   *     them.
   */
  public Sequencer(Limits limits, long incarnation, Lease lease) {
    this.mostTokens = limits.maxAddressesPerRequest();
    this.incarnation = incarnation;
    this.lease = lease;
  }

  /** The newest epoch that it was started or sealed in. */
  public Epoch epoch() {
    return epoch.isBefore(sealed) ? sealed : epoch;
  }

  /** Idle until it is started for the first time. */
  public Health.State state() {
    if (epoch.equals(Epoch.NONE)) {
      return Health.State.IDLE;
    }
    return isOver(epoch) ? Health.State.SEALED : Health.State.SERVING;
  }

  @Override
  public void handle(SequencerRequest request, Consumer<Reply> reply) {
    reply.accept(
        switch (request) {
          case SequencerRequest.Next ask ->
              refusal(ask.epoch()).orElseGet(() -> issue(ask.count()));
          case SequencerRequest.AskTail ask -> refusal(ask.epoch()).orElseGet(this::tail);
          case SequencerRequest.Start start -> start(start);
          case SequencerRequest.Seal seal -> seal(seal.epoch());
          case SequencerRequest.NextInStreams ask -> new Failure.NotServing("no streams yet");
          case SequencerRequest.AskStreams ask -> new Failure.NotServing("no streams yet");
        });
  }

  private Reply issue(int count) {
    if (count < 1) {
      return new Failure.Refused(
          Failure.Cause.MALFORMED, "a client asks for 1 token or more, but not for " + count);
    }
    if (count > mostTokens) {
      return new Failure.Refused(
          Failure.Cause.TOO_LARGE,
          "one request may ask for up to " + mostTokens + " tokens, but not for " + count);
    }
    if (count > Long.MAX_VALUE - next) {
      return new Failure.Refused(
          Failure.Cause.TOO_LARGE,
          "the log's addresses end at 2^63 - 1: after "
              + next
              + " there are no "
              + count
              + " left");
    }
    long first = next;
    next += count;
    return new SequencerReply.Tokens(first, count);
  }

  private Reply tail() {
    return lease.isValid()
        ? new SequencerReply.Tail(next)
        : new Failure.NotServing(
            "this sequencer has no lease for epoch "
                + epoch
                + ": no majority of the layout servers has lately confirmed that it is still the"
                + " one; ask again, or ask them for a newer layout");
  }

  /**
   * The starting state belongs to exactly one epoch. Nothing is ever merged: what an older epoch
   * issued and nobody wrote has died with it (R2), and the rest is below {@code start.next()} (R6).
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
    if (epoch.isBefore(start.epoch())) {
      epoch = start.epoch();
      next = start.next();
    }
    return Reply.Done.DONE; // a second start of one epoch must not issue its tokens again
  }

  /**
   * Even where it was never started: a start of a sealed epoch that comes late must find that out.
   */
  private Reply seal(Epoch upTo) {
    if (sealed.isBefore(upTo)) {
      sealed = upTo;
    }
    return new SequencerReply.SealedAt(next, incarnation);
  }

  /** Why it can't serve a request of this epoch. */
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
