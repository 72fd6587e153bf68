package corfu.bytes;

import corfu.protocol.Address;
import java.util.List;

/**
 * Knows which versions of an array stay readable, such as those of snapshots that other clients
 * take. Thread-safe.
 */
@FunctionalInterface
public interface VersionKeeper {

  /**
   * Gives up all versions before one, but those that it returns. From the moment of this call on,
   * nobody may begin to need another version before it; versions from there on stay readable. May
   * block, and may fail as a call of {@link corfu.runtime.Log} does: then nothing is given up.
   *
   * @param version a version at most the newest one
   * @return the versions that stay, in any order
   */
  List<Address> giveUpBefore(Address version);
}
