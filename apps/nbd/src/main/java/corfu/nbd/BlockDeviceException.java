package corfu.nbd;

/** A request to a block device failed. The reason selects the error that the client sees. */
public final class BlockDeviceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The reason of a failure. */
  public enum Reason {
    /** No export has this name. */
    UNKNOWN_EXPORT,
    /** The client may not use the export. */
    NOT_PERMITTED,
    /** The device is read-only. */
    READ_ONLY,
    /** Another server has taken over the device. */
    FENCED,
    /** The device could not be read or written in time. */
    IO_ERROR,
    /** The log has no space left. */
    NO_SPACE,
    /** Memory has no room for the request. */
    NO_MEMORY,
    /** The range is beyond the end of the device. */
    OUT_OF_RANGE,
    /** The device cannot do this, or not fast. */
    NOT_SUPPORTED,
    /** The server stops. */
    SHUTTING_DOWN
  }

  private final Reason reason;

  /** Creates the exception. */
  public BlockDeviceException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Creates the exception. */
  public BlockDeviceException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }
}
