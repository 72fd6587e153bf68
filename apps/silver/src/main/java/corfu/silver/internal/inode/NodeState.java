package corfu.silver.internal.inode;

import java.util.Optional;

/**
 * The state of a node behind an entry of its stream.
 *
 * @param inode the state, or empty if the node does not exist
 * @param before the log address below which the state includes every entry of the stream, and
 *     directly behind the last one; 0 if it includes none
 * @param place the place of the stream's next entry
 */
public record NodeState(Optional<Inode> inode, long before, long place) {

  /** Returns this state of a directory without its names. */
  public NodeState withoutNames() {
    return new NodeState(inode.map(NodeState::withoutNames), before, place);
  }

  private static Inode withoutNames(Inode inode) {
    return inode.content() instanceof Content.Directory(var entries, var parent, int count)
        ? inode.with(new Content.Directory(DirectoryEntries.through(entries.hops()), parent, 0))
        : inode;
  }

  /** Returns the number of names that the state holds, at least 1. */
  public int size() {
    return inode
            .map(Inode::content)
            .filter(Content.Directory.class::isInstance)
            .map(content -> ((Content.Directory) content).entries().size())
            .orElse(0)
        + 1;
  }

  /** Returns the state of a node without entries of its own. */
  public static NodeState beginning(Optional<Inode> inode) {
    return new NodeState(inode, 0, 0);
  }
}
