package corfu.smr;

import corfu.protocol.Address;

/** The requested state is older than the commands and checkpoints that still exist. */
public final class HistoryForgottenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HistoryForgottenException(String name, Address wanted) {
    super(
        "the state of %s at address %s is gone: its commands were forgotten, and no checkpoint is"
                .formatted(name, wanted)
            + " that old; ask for a newer address");
  }
}
