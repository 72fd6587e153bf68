package corfu.bytes;

import corfu.protocol.Address;
import corfu.protocol.StreamId;

/** The requested version of a byte array is gone: entries that it needs were trimmed. */
public final class VersionForgottenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for an array's version; {@code trimmed} names an entry that it needs. */
  public VersionForgottenException(StreamId stream, Address version, String trimmed) {
    super(
        "version %s of the byte array of stream %s is gone: %s was trimmed; read a newer version"
            .formatted(version, stream, trimmed));
  }
}
