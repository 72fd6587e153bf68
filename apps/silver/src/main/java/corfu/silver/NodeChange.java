package corfu.silver;

import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import java.util.Set;

/**
 * A change of a node.
 *
 * @param address the log address of the change's entry; the versions behind it include the change
 * @param time the author's clock
 * @param uid the author
 * @param description the change, for people
 * @param removed the names that the directory lost, or that have another node since
 */
public record NodeChange(
    Address address, Timestamp time, int uid, String description, Set<FileName> removed) {

  public NodeChange {
    removed = Set.copyOf(removed);
  }

  /** Returns the first version that includes the change. */
  public Address version() {
    return new Address(address.value() + 1);
  }
}
