package corfu.silver;

import corfu.protocol.Address;
import corfu.protocol.StreamId;

/**
 * An entry of a file system's stream is not of Silver's format. Another application has written to
 * the stream, or a newer version of this one.
 */
public final class DamagedEntryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param address the entry
   * @param why what is wrong
   */
  public DamagedEntryException(Address address, String why) {
    super("the entry at address %s is no change of a file system: %s".formatted(address, why));
  }

  /**
   * @param stream the stream that has the entry
   * @param damage what is wrong, with the entry's address
   */
  public DamagedEntryException(StreamId stream, DamagedEntryException damage) {
    super("stream %s is damaged: %s".formatted(stream, damage.getMessage()), damage);
  }
}
