package corfu.protocol.message;

import corfu.protocol.Epoch;

/** What a sequencer may be asked (DESIGN 3.5). */
public sealed interface SequencerRequest extends Request {

  /**
   * Issue tokens. Answered by {@link SequencerReply.Tokens}.
   *
   * @param count 1 or more
   */
  record Next(Epoch epoch, int count) implements SequencerRequest {}

  /** Which token would be next? Answered by {@link SequencerReply.Tail}. */
  record AskTail(Epoch epoch) implements SequencerRequest {}

  /**
   * Serve this epoch, from this address on. Answered by {@link Reply.Done}; a later start of the
   * same epoch changes nothing.
   *
   * @param incarnation what {@link SequencerReply.SealedAt} said: a sequencer that has restarted
   *     since has forgotten what it may have issued meanwhile, and refuses
   */
  record Start(Epoch epoch, long next, long incarnation) implements SequencerRequest {}

  /**
   * Stop serving every epoch up to and including this one. Answered by {@link
   * SequencerReply.SealedAt}.
   */
  record Seal(Epoch epoch) implements SequencerRequest {}
}
