package corfu.bytes;

import corfu.protocol.Address;

/**
 * An entry of a byte array's stream has an unknown format. Another application writes to the
 * stream, or a newer version of this one.
 */
public final class DamagedRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for an entry; {@code detail} says what is wrong with it. */
  public DamagedRecordException(Address address, String detail) {
    super(
        "the entry at address %s is no record of a byte array: %s; only byte arrays may write to"
                .formatted(address, detail)
            + " their streams, of a version no newer than this one");
  }
}
