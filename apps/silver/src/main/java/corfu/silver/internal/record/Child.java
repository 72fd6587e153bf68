package corfu.silver.internal.record;

import corfu.fuse.linux.FileMode;
import corfu.silver.NodeId;

/**
 * A node as a directory refers to it.
 *
 * @param node the node
 * @param type the bits of its type in its mode
 */
public record Child(NodeId node, int type) {

  /** Returns whether the node is a directory. */
  public boolean isDirectory() {
    return FileMode.isDirectory(type);
  }
}
