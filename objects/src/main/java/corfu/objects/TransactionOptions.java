package corfu.objects;

import corfu.protocol.Address;
import java.util.Optional;

/**
 * How a transaction is run.
 *
 * @param isolation what it is promised
 * @param isReadOnly it changes nothing: a mutator in it is refused. No other transaction aborts it;
 *     only the loss of a sequencer in its middle may
 * @param at the log address whose snapshot it reads; empty: the newest
 * @param attempts how often it is tried in all where others win; where it is begun and ended by
 *     hand, this is its caller's to do
 */
public record TransactionOptions(
    Isolation isolation, boolean isReadOnly, Optional<Address> at, int attempts) {

  private static final int ATTEMPTS = 100;

  /**
   * Strictly serializable, at the newest snapshot, tried up to 100 times, for about half a second.
   */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(Isolation.STRICT_SERIALIZABLE, false, Optional.empty(), ATTEMPTS);

  /** At the newest snapshot; changes nothing. */
  public static final TransactionOptions READ_ONLY =
      new TransactionOptions(Isolation.STRICT_SERIALIZABLE, true, Optional.empty(), ATTEMPTS);

  public TransactionOptions {
    if (attempts < 1) {
      throw new IllegalArgumentException("a transaction is tried once or more, not " + attempts);
    }
  }

  public TransactionOptions with(Isolation other) {
    return new TransactionOptions(other, isReadOnly, at, attempts);
  }

  public TransactionOptions withAttempts(int most) {
    return new TransactionOptions(isolation, isReadOnly, at, most);
  }

  /** Reads a snapshot of the past, of all objects as they were at this log address. */
  public static TransactionOptions at(Address address) {
    return new TransactionOptions(
        Isolation.STRICT_SERIALIZABLE, true, Optional.of(address), ATTEMPTS);
  }
}
