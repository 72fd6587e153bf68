package corfu.silver;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import java.util.Optional;

/**
 * A change of a node.
 *
 * @param address the log address of the change's entry; the versions behind it include the change
 * @param time the author's clock
 * @param uid the author
 * @param description the change, for people
 * @param removed the name that the directory lost, if it lost one
 */
public record NodeChange(
    Address address, Timestamp time, int uid, String description, Optional<FileName> removed) {

  /** Returns the first version that includes the change. */
  public Address version() {
    return new Address(address.value() + 1);
  }
}
