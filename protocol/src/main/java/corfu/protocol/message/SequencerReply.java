package corfu.protocol.message;

/** What a sequencer may answer. */
public sealed interface SequencerReply extends Reply {

  /** The tokens {@code first} to {@code first + count - 1}. */
  record Tokens(long first, int count) implements SequencerReply {}

  /** The token that would be next. */
  record Tail(long next) implements SequencerReply {}
}
