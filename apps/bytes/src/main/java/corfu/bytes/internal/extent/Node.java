package corfu.bytes.internal.extent;

/** A node of the tree of a map of extents. Immutable, but for the memory of pages below it. */
sealed interface Node permits Leaf, Branch {

  /** Returns the number of extents or children. */
  int count();

  /** Returns the offset of the first byte of the subtree's first extent. */
  long first();

  /** Returns the bytes of memory of this node alone, about. */
  int memoryBytes();
}
