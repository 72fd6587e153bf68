package corfu.silver.internal.inode;

import corfu.silver.NodeId;

/** The names or bytes that a node holds besides its attributes. */
public sealed interface Content {

  /**
   * Names.
   *
   * @param entries the names
   * @param parent the parent; a root is its own parent
   * @param subdirectories the number of directories among the names
   */
  record Directory(DirectoryEntries entries, NodeId parent, int subdirectories)
      implements Content {}

  /** The bytes of a small file, which nobody changes. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Inline(byte[] bytes) implements Content {}

  /** The bytes of the file are in its data stream. */
  enum Spilled implements Content {
    SPILLED
  }

  /** The path of a symbolic link. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Target(byte[] path) implements Content {}

  /** A device, a socket or a pipe: nothing. */
  enum Special implements Content {
    SPECIAL
  }
}
