package corfu.access.gate;

import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The keys by which the sequencers of other servers seal tokens. Called on the server's loop; must
 * not block.
 */
public interface SequencerKeys {

  /** A server that knows no other sequencer. */
  SequencerKeys NONE =
      new SequencerKeys() {
        @Override
        public Sealing in(Epoch epoch) {
          return Sealing.SEALED;
        }

        @Override
        public Optional<TokenSealer> find(long keyId) {
          return Optional.empty();
        }

        @Override
        public void ask(Epoch epoch, Consumer<Optional<Failure>> then) {
          then.accept(Optional.of(new Failure.NotServing("this server asks no sequencer")));
        }
      };

  /** The treatment of an epoch's tokens by its sequencer. */
  enum Sealing {
    /** The sequencer has to be asked. */
    UNKNOWN,
    /** The sequencer seals the tokens of tenants. */
    SEALED,
    /** The sequencer enforces no permissions, so that it seals no tokens. */
    UNSEALED
  }

  /** Returns the treatment of tokens in an epoch, as far as it is known. */
  Sealing in(Epoch epoch);

  /** Returns the key of this number, or empty if it is not known. */
  Optional<TokenSealer> find(long keyId);

  /**
   * Asks the sequencer of an epoch for its key, unless it was asked a moment ago.
   *
   * @param then runs once, on the loop: with empty once the sequencer has answered; with a failure
   *     that the client may retry if it has not, or will not be asked now
   */
  void ask(Epoch epoch, Consumer<Optional<Failure>> then);
}
