package corfu.runtime;

import corfu.protocol.Endpoint;

/**
 * A log unit's disk is full. The entry was not appended. Reads still work, and a trim makes room.
 */
public final class NoSpaceException extends CorfuException {
  private static final long serialVersionUID = 1L;

  public NoSpaceException(Endpoint unit) {
    super(
        "the log unit at "
            + unit
            + " has no space left; trim what is not needed any more (corfu trim --before ADDRESS),"
            + " or give it more disk");
  }
}
