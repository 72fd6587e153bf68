package corfu.silver.internal.quota;

import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.operation.Reads;
import corfu.silver.internal.record.Child;
import corfu.silver.quota.Usage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts the space of a tree at one version. Memory holds the directories that wait for their
 * visit, and the files with several names. For one thread.
 */
final class UsageCount {

  private final Reads reads;
  private final Deque<NodeId> waiting = new ArrayDeque<>();
  private final Set<NodeId> linked = new HashSet<>();
  private Usage sum = Usage.NONE;

  private UsageCount(Reads reads) {
    this.reads = reads;
  }

  /** Returns the space of all nodes below a directory, without the directory itself. */
  static Usage below(Reads reads, NodeId directory) {
    UsageCount count = new UsageCount(reads);
    count.waiting.add(directory);
    count.run();
    return count.sum;
  }

  /** Returns the space of a node and of all nodes below it. */
  static Usage of(Reads reads, NodeId node) {
    UsageCount count = new UsageCount(reads);
    if (reads.status(node) instanceof Result.Success<NodeStatus>(NodeStatus status)) {
      count.add(status);
    }
    count.run();
    return count.sum;
  }

  private void run() {
    while (!waiting.isEmpty()) {
      if (reads.directory(waiting.removeLast())
          instanceof Result.Success<Content.Directory>(Content.Directory directory)) {
        directory
            .entries()
            .forEachBehind(
                DirectoryEntries.FIRST_OFFSET,
                (name, listed) -> {
                  add(listed.child());
                  return true;
                });
      }
    }
  }

  private void add(Child child) {
    if (child.isDirectory()) {
      waiting.add(child.node());
      sum = sum.plus(new Usage(0, 1));
    } else if (reads.status(child.node())
        instanceof Result.Success<NodeStatus>(NodeStatus status)) {
      add(status);
    }
  }

  private void add(NodeStatus status) {
    if (status.isDirectory()) {
      waiting.add(status.node());
    } else if (status.links() > 1 && !linked.add(status.node())) {
      return;
    }
    sum = sum.plus(new Usage(bytes(status), 1));
  }

  /** Returns the bytes that a node counts with. */
  static long bytes(NodeStatus status) {
    return FileMode.isRegular(status.mode()) ? status.size() : 0;
  }
}
