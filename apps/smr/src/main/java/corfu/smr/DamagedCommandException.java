package corfu.smr;

import corfu.protocol.Address;

/**
 * An entry of a state machine's stream has an unknown format. Another application writes to the
 * stream, or a newer version of this one. The replica stops at the entry.
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
