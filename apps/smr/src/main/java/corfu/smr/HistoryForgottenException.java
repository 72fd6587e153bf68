package corfu.smr;

import corfu.protocol.Address;

/** What was asked for lies in a past of which neither commands nor a checkpoint are left. */
public final class HistoryForgottenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HistoryForgottenException(String name, Address wanted) {
    super(
        "the state of %s at address %s is gone: its commands were forgotten, and no checkpoint is"
                .formatted(name, wanted)
            + " that old; ask for a newer address");
  }
}
