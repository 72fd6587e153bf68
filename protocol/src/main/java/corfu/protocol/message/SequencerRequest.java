package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.util.List;

/** The requests to a sequencer (docs/design.md, section 5). */
public sealed interface SequencerRequest extends Request {

  /**
   * Asks for tokens. Answered by {@link SequencerReply.Tokens}.
   *
   * @param count the number of tokens, 1 or more
   */
  record Next(Epoch epoch, int count) implements SequencerRequest {}

  /**
   * Asks for a token for each wish; the tokens' addresses ascend in the order of the wishes.
   * Answered by {@link SequencerReply.StreamTokens}, or by {@link SequencerReply.UnknownStreams} if
   * no token was issued.
   *
   * @param wishes one or more wishes
   * @param known the ends of streams that the sequencer may not know, following {@link
   *     SequencerReply.UnknownStreams}; the sequencer ignores those that it knows
   */
  record NextInStreams(Epoch epoch, List<TokenWish> wishes, List<StreamTail> known)
      implements SequencerRequest {

    public NextInStreams {
      wishes = List.copyOf(wishes);
      known = List.copyOf(known);
    }
  }

  /**
   * Asks where these streams end. Answered by {@link SequencerReply.StreamEnds} or {@link
   * SequencerReply.UnknownStreams}.
   *
   * @param known as in {@link NextInStreams}
   */
  record AskStreams(Epoch epoch, List<StreamId> streams, List<StreamTail> known)
      implements SequencerRequest {

    public AskStreams {
      streams = List.copyOf(streams);
      known = List.copyOf(known);
    }
  }

  /**
   * A mirror has copied the log up to an address: the sequencer continues from there, with these
   * ends of streams. Answered by {@link SequencerReply.Tail}. Where the sequencer already knows
   * more, nothing changes.
   *
   * @param to the address behind the last copied one
   * @param ends the ends of the copied streams
   */
  record Adopt(Epoch epoch, long to, List<StreamTail> ends) implements SequencerRequest {

    public Adopt {
      ends = List.copyOf(ends);
    }
  }

  /** Asks for the next token. Answered by {@link SequencerReply.Tail}. */
  record AskTail(Epoch epoch) implements SequencerRequest {}

  /** Whether a sequencer continues with its knowledge of streams from the previous epoch. */
  enum KnownStreams {
    /** The log units tell where streams ended. */
    FORGOTTEN,
    /** Some log units cannot be asked, and the sequencer stays the same. */
    KEPT
  }

  /**
   * Starts the sequencer in this epoch, at this address. Answered by {@link Reply.Done}; a later
   * start of the same epoch changes nothing.
   *
   * @param incarnation the number from {@link SequencerReply.SealedAt}: a sequencer that has
   *     restarted since refuses, because it has forgotten which tokens it may have issued meanwhile
   * @param streams kept only by a sequencer whose previous epoch was sealed with {@link
   *     KnownStreams#KEPT}, and ended at {@code next}; forgotten by any other
   */
  record Start(Epoch epoch, long next, long incarnation, KnownStreams streams)
      implements SequencerRequest {

    /** Creates a start without knowledge of streams. */
    public Start(Epoch epoch, long next, long incarnation) {
      this(epoch, next, incarnation, KnownStreams.FORGOTTEN);
    }
  }

  /**
   * Stops serving all epochs up to and including this one. Answered by {@link
   * SequencerReply.SealedAt}, or by {@link SequencerReply.HandedOver} if the knowledge of streams
   * is kept.
   *
   * @param streams whether the knowledge of streams is kept for a start of the next epoch
   */
  record Seal(Epoch epoch, KnownStreams streams) implements SequencerRequest {

    /** Creates a seal that forgets all knowledge of streams. */
    public Seal(Epoch epoch) {
      this(epoch, KnownStreams.FORGOTTEN);
    }
  }
}
