package corfu.silver;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.Timestamp;

/**
 * The attributes of a node at one version.
 *
 * @param node the node
 * @param mode its type and permissions, see {@link FileMode}
 * @param links the number of its names; of a directory, 2 and the number of its subdirectories
 * @param uid the owner
 * @param gid the group
 * @param device the number of a device, otherwise 0
 * @param size the size in bytes; of a directory, the number of its names
 * @param access the time of the last read, as far as somebody has set it
 * @param modification the time of the last change of the data
 * @param change the time of the last change of anything
 * @param birth the time of the creation
 */
public record NodeStatus(
    NodeId node,
    int mode,
    int links,
    int uid,
    int gid,
    int device,
    long size,
    Timestamp access,
    Timestamp modification,
    Timestamp change,
    Timestamp birth) {

  /** Returns whether the node is a directory. */
  public boolean isDirectory() {
    return FileMode.isDirectory(mode);
  }
}
