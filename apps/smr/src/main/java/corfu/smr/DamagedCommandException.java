package corfu.smr;

import corfu.protocol.Address;

/**
 * An entry of a state machine's stream is none of ours: somebody else writes to the stream, or in a
 * format of another version. A replica that meets it stops there.
 */
public final class DamagedCommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedCommandException(Address address, String detail) {
    super(
        "the entry at address %s is no batch of commands: %s; only replicas may write to a state"
                .formatted(address, detail)
            + " machine's streams, of a version no newer than this one");
  }
}
