package corfu.protocol.message;

import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import java.util.List;
import java.util.Optional;

/** The replies of a sequencer. */
public sealed interface SequencerReply extends Reply {

  /**
   * The tokens {@code first} to {@code first + count - 1}.
   *
   * @param seal the proof for log units that this client got them, or empty if it needs none. From
   *     version 3 of the schema on; empty to clients of earlier versions
   */
  record Tokens(long first, int count, Optional<TokenSeal> seal) implements SequencerReply {

    /** Creates tokens without a seal. */
    public Tokens(long first, int count) {
      this(first, count, Optional.empty());
    }
  }

  /**
   * An outcome for each wish of a {@link SequencerRequest.NextInStreams}, in the request's order.
   * The issued tokens are a run of addresses.
   *
   * @param seal as in {@link Tokens}
   */
  record StreamTokens(List<TokenOutcome> outcomes, Optional<TokenSeal> seal)
      implements SequencerReply {

    public StreamTokens {
      outcomes = List.copyOf(outcomes);
    }

    /** Creates outcomes without a seal. */
    public StreamTokens(List<TokenOutcome> outcomes) {
      this(outcomes, Optional.empty());
    }
  }

  /**
   * The ends of the streams of a {@link SequencerRequest.AskStreams}, in the request's order.
   *
   * @param next the next token: no entry of any stream is at it or behind it
   * @param began the epoch's first address: lower tokens are used already, or never will be
   * @param ends the ends of the streams
   */
  record StreamEnds(long next, long began, List<StreamPosition> ends) implements SequencerReply {
    public StreamEnds {
      ends = List.copyOf(ends);
    }
  }

  /**
   * Nothing was done, because the sequencer does not know yet where these streams ended when its
   * epoch began. The client asks the log units for the ends, and repeats its request with them.
   *
   * @param below the epoch's first address: the sequencer knows that these streams have no entry
   *     from it on
   * @param streams the unknown streams, each once
   */
  record UnknownStreams(long below, List<StreamId> streams) implements SequencerReply {
    public UnknownStreams {
      streams = List.copyOf(streams);
    }
  }

  /** The next token. */
  record Tail(long next) implements SequencerReply {}

  /**
   * The epoch is sealed.
   *
   * @param next the token that would have been next; 0 if the sequencer was never started
   * @param incarnation a random number that the sequencer drew when its process started; a {@link
   *     SequencerRequest.Start} repeats it
   */
  record SealedAt(long next, long incarnation) implements SequencerReply {}

  /**
   * The epoch is sealed, and the sequencer keeps its knowledge of streams for the next one.
   *
   * @param next the token that would have been next; 0 if the sequencer was never started
   * @param incarnation as in {@link SealedAt}
   * @param started the epoch in which the sequencer was started last, or {@link Epoch#NONE} if it
   *     never was. Only for that epoch {@code next} says where the tokens end
   */
  record HandedOver(long next, long incarnation, Epoch started) implements SequencerReply {}
}
