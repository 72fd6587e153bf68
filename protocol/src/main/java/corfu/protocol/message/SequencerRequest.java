package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.util.List;

/** What a sequencer may be asked (docs/design.md, section 5). */
public sealed interface SequencerRequest extends Request {

  /**
   * Issue tokens. Answered by {@link SequencerReply.Tokens}.
   *
   * @param count 1 or more
   */
  record Next(Epoch epoch, int count) implements SequencerRequest {}

  /**
   * Issue a token for each wish, in their order; addresses ascend. Answered by {@link
   * SequencerReply.StreamTokens}, or, without having issued any, by {@link
   * SequencerReply.UnknownStreams}.
   *
   * @param wishes 1 or more
   * @param known where streams end that the sequencer may not know of, as {@link
   *     SequencerReply.UnknownStreams} says; those that it knows are ignored
   */
  record NextInStreams(Epoch epoch, List<TokenWish> wishes, List<StreamTail> known)
      implements SequencerRequest {

    public NextInStreams {
      wishes = List.copyOf(wishes);
      known = List.copyOf(known);
    }
  }

  /**
   * Where do these streams end? Answered by {@link SequencerReply.StreamEnds} or {@link
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
   * A mirror has copied the log up to an address: go on from there, and know that these streams end
   * there. Answered by {@link SequencerReply.Tail}. Where more is known already nothing changes.
   *
   * @param to behind the last address that is copied
   * @param ends of the streams of what was copied
   */
  record Adopt(Epoch epoch, long to, List<StreamTail> ends) implements SequencerRequest {

    public Adopt {
      ends = List.copyOf(ends);
    }
  }

  /** Which token would be next? Answered by {@link SequencerReply.Tail}. */
  record AskTail(Epoch epoch) implements SequencerRequest {}

  /** Whether a sequencer goes on with what it knew of streams in the epoch before. */
  enum KnownStreams {
    /** The log units tell where streams ended. */
    FORGOTTEN,
    /** Some log units cannot be asked, and the sequencer stays the same. */
    KEPT
  }

  /**
   * Serve this epoch, from this address on. Answered by {@link Reply.Done}; a later start of the
   * same epoch changes nothing.
   *
   * @param incarnation what {@link SequencerReply.SealedAt} said: a sequencer that has restarted
   *     since has forgotten what it may have issued meanwhile, and refuses
   * @param streams kept only by a sequencer whose epoch before was sealed with {@link
   *     KnownStreams#KEPT}, and ended at {@code next}; forgotten by any other
   */
  record Start(Epoch epoch, long next, long incarnation, KnownStreams streams)
      implements SequencerRequest {

    /** A start that knows of no streams. */
    public Start(Epoch epoch, long next, long incarnation) {
      this(epoch, next, incarnation, KnownStreams.FORGOTTEN);
    }
  }

  /**
   * Stop serving every epoch up to and including this one. Answered by {@link
   * SequencerReply.SealedAt}, or where streams are kept by {@link SequencerReply.HandedOver}.
   *
   * @param streams whether what is known of streams is kept for a start of the next epoch
   */
  record Seal(Epoch epoch, KnownStreams streams) implements SequencerRequest {

    /** A seal after which nothing is known of streams. */
    public Seal(Epoch epoch) {
      this(epoch, KnownStreams.FORGOTTEN);
    }
  }
}
