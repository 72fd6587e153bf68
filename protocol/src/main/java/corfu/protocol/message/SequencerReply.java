package corfu.protocol.message;

/** What a sequencer may answer. */
public sealed interface SequencerReply extends Reply {

  /** The tokens {@code first} to {@code first + count - 1}. */
  record Tokens(long first, int count) implements SequencerReply {}

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
}
