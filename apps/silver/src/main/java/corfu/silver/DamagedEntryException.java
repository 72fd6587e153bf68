package corfu.silver;

import corfu.protocol.Address;

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
}
