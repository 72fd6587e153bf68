package corfu.silver.mount;

import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;

/** A file or directory as a mount shows it. */
sealed interface MountedNode {

  /**
   * A node of a file system.
   *
   * @param files the file system at the version that the mount shows
   * @param node the node
   */
  record Stored(SilverFileSystem files, NodeId node) implements MountedNode {}

  /** The files and directories that the mount itself adds to the root. */
  enum Control implements MountedNode {
    /** The directory {@code .silver}. */
    DIRECTORY,
    /** The file {@code .silver/version}: the current version. */
    VERSION,
    /** The file {@code .silver/stats}: the work of the mount. */
    STATS,
    /** The directory {@code .silver/at}, in which each version is a directory like the root. */
    AT
  }
}
