package corfu.silver.mount;

import corfu.fuse.FileSystem;
import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers that the kernel knows nodes by. A number lives until the kernel has taken back all
 * lookups. Thread-safe.
 */
final class NodeTable {

  private final Map<Long, Counted> byNumber = new HashMap<>();
  private final Map<Object, Long> numbers = new HashMap<>();
  private long last = FileSystem.ROOT;

  private static final class Counted {
    private final MountedNode node;
    private long lookups;

    private Counted(MountedNode node) {
      this.node = node;
    }
  }

  /** Returns a table that knows the root. */
  NodeTable(MountedNode root) {
    byNumber.put(FileSystem.ROOT, new Counted(root));
    numbers.put(key(root), FileSystem.ROOT);
  }

  /** A mount shows a node once for the present, and once for each version. */
  private static Object key(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored stored ->
          Map.entry(stored.node(), stored.files().version().orElse(-1));
      case MountedNode.Control control -> control;
    };
  }

  /** Returns the node of a number, if the kernel may still use it. */
  synchronized Optional<MountedNode> get(long number) {
    return Optional.ofNullable(byNumber.get(number)).map(counted -> counted.node);
  }

  /** Returns the name of a node for messages: its stream, and the version if it is a past one. */
  String describe(long number) {
    return get(number).map(NodeTable::describe).orElse("a node that is gone");
  }

  private static String describe(MountedNode node) {
    return switch (node) {
      case MountedNode.Stored(SilverFileSystem files, NodeId id) ->
          "stream "
              + id.stream()
              + (files.isReadOnly() ? " at version " + files.version().getAsLong() : "");
      case MountedNode.Control control -> ".silver";
    };
  }

  /** Counts a lookup, and returns the node's number. */
  synchronized long lookUp(MountedNode node) {
    long number = numbers.computeIfAbsent(key(node), unknown -> ++last);
    byNumber.computeIfAbsent(number, unknown -> new Counted(node)).lookups++;
    return number;
  }

  /** Returns the numbers of all nodes. */
  synchronized List<Long> numbers() {
    return List.copyOf(byNumber.keySet());
  }

  /** Takes lookups back. */
  synchronized void forget(long number, long lookups) {
    Counted counted = byNumber.get(number);
    if (counted == null || number == FileSystem.ROOT) {
      return;
    }
    counted.lookups -= lookups;
    if (counted.lookups <= 0) {
      byNumber.remove(number);
      numbers.remove(key(counted.node));
    }
  }
}
