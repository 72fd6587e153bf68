package corfu.objects.tango;

import corfu.protocol.Address;

/**
 * A transaction's commit record is in the log, so it is fixed whether it holds; but the cluster
 * failed before that was read. Objects that it writes tell.
 */
public final class TransactionUndecidedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Address commit;

  TransactionUndecidedException(Address commit, Throwable cause) {
    super(
        ("the commit record is at address %s, but what it has read could not be looked at: query"
                + " what it writes to learn whether it holds")
            .formatted(commit),
        cause);
    this.commit = commit;
  }

  /** Where the commit record is. */
  public Address commit() {
    return commit;
  }
}
