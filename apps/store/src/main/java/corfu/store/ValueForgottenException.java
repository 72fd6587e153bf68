package corfu.store;

import corfu.protocol.Address;

/** A snapshot is older than the values that a compaction has kept. */
public final class ValueForgottenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ValueForgottenException(Address at) {
    super(
        "the store has been compacted: what it held at address %s is gone in part; ask for a newer"
                .formatted(at)
            + " snapshot");
  }
}
