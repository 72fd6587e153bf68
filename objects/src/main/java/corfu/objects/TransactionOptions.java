package corfu.objects;

import corfu.protocol.Address;
import java.util.Optional;

/**
 * The options of a transaction.
 *
 * @param isolation the guarantee about concurrent changes
 * @param isReadOnly whether the transaction changes nothing: a mutator in it is refused. No other
 *     transaction aborts it; only the loss of a sequencer during the transaction may
 * @param at the log address of the snapshot that the transaction reads; empty: the newest
 * @param attempts the highest number of attempts in all, if other changes win; an application that
 *     begins and ends transactions by hand repeats them itself
 */
public record TransactionOptions(
    Isolation isolation, boolean isReadOnly, Optional<Address> at, int attempts) {

  private static final int ATTEMPTS = 100;

  /**
   * Strictly serializable, at the newest snapshot, with up to 100 attempts, which last about half a
   * second.
   */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(Isolation.STRICT_SERIALIZABLE, false, Optional.empty(), ATTEMPTS);

  /** A read-only transaction at the newest snapshot. */
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

  /** Reads a snapshot of the past: all objects as they were at this log address. */
  public static TransactionOptions at(Address address) {
    return new TransactionOptions(
        Isolation.STRICT_SERIALIZABLE, true, Optional.of(address), ATTEMPTS);
  }
}
