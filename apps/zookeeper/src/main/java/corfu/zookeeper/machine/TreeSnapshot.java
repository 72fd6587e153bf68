package corfu.zookeeper.machine;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.server.DataNode;

/**
 * The tree at one moment. Nodes that have changed since are here as they were; the tree has all
 * others. The format is that of ZooKeeper's own snapshots: the ACLs, then each node behind its
 * parent, then a slash.
 */
final class TreeSnapshot {

  /** A node as it was: its encoding, and the names of its children. */
  private record Preserved(ByteBuffer encoded, List<String> children) {}

  private final NamespaceTree tree;
  private final byte[] acls;
  private final Map<String, Preserved> preserved = new HashMap<>(); // guarded by the tree's lock
  private boolean isDiscarded; // guarded by the tree's lock

  /** Created under the tree's write lock. */
  TreeSnapshot(NamespaceTree tree) {
    this.tree = tree;
    try {
      var bytes = new ByteArrayOutputStream();
      tree.serializeAcls(BinaryOutputArchive.getArchive(bytes));
      this.acls = bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException("cannot encode the ACLs", impossible);
    }
  }

  /** The node is about to change. Called under the tree's write lock. */
  void preserve(String path) {
    String key = path.equals("/") ? "" : path;
    if (!preserved.containsKey(key)) {
      copy(key).ifPresent(node -> preserved.put(key, node));
    }
  }

  /** The tree no longer preserves nodes for this snapshot. Called under the tree's write lock. */
  void discard() {
    isDiscarded = true;
    preserved.clear();
  }

  private Optional<Preserved> copy(String path) {
    DataNode node = tree.getNode(path);
    if (node == null) {
      return Optional.empty();
    }
    var bytes = new ByteArrayOutputStream();
    try {
      node.serialize(BinaryOutputArchive.getArchive(bytes), "node");
    } catch (IOException impossible) {
      throw new UncheckedIOException("cannot encode node " + path, impossible);
    }
    return Optional.of(
        new Preserved(ByteBuffer.wrap(bytes.toByteArray()), List.copyOf(node.getChildren())));
  }

  /** Writes the tree, and closes the snapshot. */
  void writeTo(DataOutput out) throws IOException {
    try {
      out.write(acls);
      var archive = new BinaryOutputArchive(out);
      Deque<String> paths = new ArrayDeque<>();
      paths.push("");
      while (!paths.isEmpty()) {
        String path = paths.pop();
        Preserved node = node(path);
        archive.writeString(path, "path");
        out.write(node.encoded().array());
        for (String child : node.children()) {
          paths.push(path + "/" + child);
        }
      }
      archive.writeString("/", "path");
    } finally {
      tree.close(this);
    }
  }

  private Preserved node(String path) throws IOException {
    tree.lock().readLock().lock();
    try {
      if (isDiscarded) {
        throw new IOException("too many checkpoints at the same time: this one was given up");
      }
      Preserved before = preserved.get(path);
      if (before != null) {
        return before;
      }
      return copy(path)
          .orElseThrow(() -> new IllegalStateException("a snapshot has lost node " + path));
    } finally {
      tree.lock().readLock().unlock();
    }
  }
}
