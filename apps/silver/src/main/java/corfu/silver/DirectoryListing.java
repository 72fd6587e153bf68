package corfu.silver;

import corfu.fuse.protocol.FileName;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.record.Child;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The names of a directory at one moment. Immutable.
 *
 * <p>The order is that of hashes of the names. So a name keeps its offset while others come and go.
 */
public final class DirectoryListing {

  /** The offset before the first name. The offsets below it are free for other uses. */
  public static final long FIRST_OFFSET = DirectoryEntries.FIRST_OFFSET;

  private final DirectoryEntries entries;
  private final NodeId parent;

  DirectoryListing(DirectoryEntries entries, NodeId parent) {
    this.entries = entries;
    this.parent = parent;
  }

  /**
   * A name of a directory.
   *
   * @param name the name
   * @param node the node
   * @param type the bits of the node's type in its mode
   * @param offset the offset at which to go on behind this name
   */
  public record Name(FileName name, NodeId node, int type, long offset) {}

  /** Returns the directory's parent. */
  public NodeId parent() {
    return parent;
  }

  /** Returns the number of names. */
  public int size() {
    return entries.size();
  }

  /**
   * Passes on the names behind an offset.
   *
   * @param offset the offset of the name before, or {@link #FIRST_OFFSET}
   * @param receiver returns false if it takes no more
   */
  public void forEachBehind(long offset, Predicate<Name> receiver) {
    entries.forEachBehind(
        offset,
        (name, listed) -> {
          Child child = listed.child();
          return receiver.test(new Name(name, child.node(), child.type(), listed.offset()));
        });
  }

  /** Returns all names. */
  public List<Name> all() {
    List<Name> all = new ArrayList<>(size());
    forEachBehind(FIRST_OFFSET, all::add);
    return all;
  }
}
