package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import java.util.List;

/** What a sequencer may answer. */
public sealed interface SequencerReply extends Reply {

  /** The tokens {@code first} to {@code first + count - 1}. */
  record Tokens(long first, int count) implements SequencerReply {}

  /** An outcome for each wish of a {@link SequencerRequest.NextInStreams}, in its order. */
  record StreamTokens(List<TokenOutcome> outcomes) implements SequencerReply {
    public StreamTokens {
      outcomes = List.copyOf(outcomes);
    }
  }

  /**
   * Where the streams of a {@link SequencerRequest.AskStreams} end, in its order.
   *
   * @param next the token that would be next: no entry of any stream is at it or behind it
   * @param began where the epoch began: tokens below it are used already, or will never be
   */
  record StreamEnds(long next, long began, List<StreamPosition> ends) implements SequencerReply {
    public StreamEnds {
      ends = List.copyOf(ends);
    }
  }

  /**
   * Nothing was done, for the sequencer does not know yet where these streams ended when its epoch
   * began. Whoever asks finds that out from the log units and asks again with it.
   *
   * @param below where the epoch began: the sequencer knows of every entry of these streams from
   *     this address on, namely that there is none
   * @param streams those that it does not know, each once
   */
  record UnknownStreams(long below, List<StreamId> streams) implements SequencerReply {
    public UnknownStreams {
      streams = List.copyOf(streams);
    }
  }

  /** The token that would be next. */
  record Tail(long next) implements SequencerReply {}

  /**
   * The epoch is sealed.
   *
   * @param next the token that would have been next; 0 if the sequencer was never started
   * @param incarnation a random number that the sequencer drew when its process started; whoever
   *     starts it repeats it
   */
  record SealedAt(long next, long incarnation) implements SequencerReply {}

  /**
   * The epoch is sealed, and what is known of streams is kept for the next one.
   *
   * @param next the token that would have been next; 0 if the sequencer was never started
   * @param incarnation as in {@link SealedAt}
   * @param started the epoch that the sequencer was started in last; {@link Epoch#NONE} if it never
   *     was. Only for that epoch {@code next} says where the tokens end
   */
  record HandedOver(long next, long incarnation, Epoch started) implements SequencerReply {}
}
