package corfu.silver.check;

import corfu.fuse.Result;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.silver.Hop;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.SilverFileSystem;
import java.util.List;
import java.util.Optional;

/**
 * A path as it was before its removal.
 *
 * @param files the newest version in which the path existed
 * @param node the node that the path named
 */
public record RemovedPath(SilverFileSystem files, NodeId node) {

  /**
   * Finds the newest version in which a path existed.
   *
   * @param newest the version below which to look
   * @param path the names from the root down, at least one
   * @return the version and the node, or empty if the path never existed
   */
  public static Optional<RemovedPath> find(SilverFileSystem newest, List<FileName> path) {
    SilverFileSystem files = newest;
    NodeId node = files.root();
    for (FileName name : path) {
      if (!(files.lookUp(node, name) instanceof Result.Success<NodeStatus>)) {
        Optional<Address> removal = removal(files, node, name);
        if (removal.isEmpty()) {
          return Optional.empty();
        }
        files = files.at(removal.get());
      }
      if (!(files.lookUp(node, name) instanceof Result.Success<NodeStatus>(NodeStatus found))) {
        return Optional.empty();
      }
      node = found.node();
    }
    return Optional.of(new RemovedPath(files, node));
  }

  /**
   * Finds the node that a path named before the one of now: another one was renamed over it, or
   * exchanged with it, or created after its removal.
   *
   * @param newest the version in which the path exists
   * @param path the names from the root down, at least one
   * @return the version and the node, or empty if the path has always named the same node
   */
  public static Optional<RemovedPath> findReplaced(SilverFileSystem newest, List<FileName> path) {
    NodeId directory = newest.root();
    for (FileName name : path.subList(0, path.size() - 1)) {
      if (!(newest.lookUp(directory, name) instanceof Result.Success<NodeStatus>(var found))) {
        return Optional.empty();
      }
      directory = found.node();
    }
    FileName last = path.getLast();
    Optional<SilverFileSystem> then = removal(newest, directory, last).map(newest::at);
    return then.isPresent()
            && then.get().lookUp(directory, last) instanceof Result.Success<NodeStatus>(var found)
        ? Optional.of(new RemovedPath(then.get(), found.node()))
        : Optional.empty();
  }

  /**
   * Returns the address of the entry that last took a name from a node since the directory's clone.
   */
  private static Optional<Address> removal(
      SilverFileSystem files, NodeId directory, FileName name) {
    List<Hop> hops = directory.hops();
    long first = hops.isEmpty() ? 0 : hops.getLast().version();
    Address[] last = {new Address(0)};
    boolean[] found = {false};
    files.history(
        directory,
        new Address(first),
        change -> {
          if (change.removed().contains(name)) {
            last[0] = change.address();
            found[0] = true;
          }
          return true;
        });
    return found[0] ? Optional.of(last[0]) : Optional.empty();
  }
}
