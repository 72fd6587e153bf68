package corfu.zookeeper.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.apache.jute.BinaryInputArchive;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.server.DataNode;
import org.junit.jupiter.api.Test;

/** Snapshots of a tree that changes while they are written. */
class TreeSnapshotTest {

  private static final int PARENTS = 20;
  private static final int CHILDREN = 20;

  static {
    NamespaceProperties.set(); // before ZooKeeper's classes are loaded
  }

  private final NamespaceTree tree = new NamespaceTree();
  private long zxid;

  private static String parent(int number) {
    return "/p" + number;
  }

  private static String child(int parent, int number) {
    return parent(parent) + "/c" + number;
  }

  private void create(String path) {
    try {
      tree.createNode(path, path.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, 0, -1, ++zxid, zxid, null);
    } catch (KeeperException impossible) {
      throw new AssertionError(path, impossible);
    }
  }

  private void fill() {
    for (int i = 0; i < PARENTS; i++) {
      create(parent(i));
      for (int j = 0; j < CHILDREN; j++) {
        create(child(i, j));
      }
    }
  }

  /** Changes each node in some way, as commands do: one change at a time holds the lock. */
  private void changeEverything(int round) {
    for (int i = 0; i < PARENTS; i++) {
      int parent = i;
      locked(() -> create(parent(parent) + "/new" + round));
      for (int j = 0; j < CHILDREN; j++) {
        String path = child(i, j);
        boolean isDeleted = (i + j) % 3 == 0;
        locked(() -> change(path, isDeleted, round));
      }
    }
  }

  private void change(String path, boolean isDeleted, int round) {
    try {
      if (tree.getNode(path) == null) {
        create(path);
      } else if (isDeleted) {
        tree.deleteNode(path, ++zxid);
      } else {
        tree.setData(path, ("round " + round).getBytes(UTF_8), round, ++zxid, zxid);
        tree.setACL(path, Ids.READ_ACL_UNSAFE, round);
      }
    } catch (KeeperException impossible) {
      throw new AssertionError(path, impossible);
    }
  }

  private void locked(Runnable change) {
    tree.lock().writeLock().lock();
    try {
      change.run();
    } finally {
      tree.lock().writeLock().unlock();
    }
  }

  private static TreeMap<String, String> nodes(NamespaceTree tree) {
    TreeMap<String, String> nodes = new TreeMap<>();
    addNodes(tree, "", nodes);
    return nodes;
  }

  private static void addNodes(NamespaceTree tree, String path, TreeMap<String, String> nodes) {
    DataNode node = tree.getNode(path);
    byte[] data = node.getData();
    String text = data == null ? "" : new String(data, UTF_8);
    nodes.put(path, text + node.stat + tree.getACL(node));
    for (String child : node.getChildren()) {
      addNodes(tree, path + "/" + child, nodes);
    }
  }

  private static byte[] written(TreeSnapshot snapshot) throws IOException {
    var bytes = new ByteArrayOutputStream();
    snapshot.writeTo(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static TreeMap<String, String> nodes(byte[] written) throws IOException {
    NamespaceTree read = new NamespaceTree();
    var in = new DataInputStream(new ByteArrayInputStream(written));
    read.deserialize(new BinaryInputArchive(in), "tree");
    return nodes(read);
  }

  @Test
  void aSnapshotHasTheTreeOfItsMomentAfterEveryNodeHasChanged() throws IOException {
    fill();
    TreeMap<String, String> expected = nodes(tree);
    TreeSnapshot snapshot = tree.snapshot();
    changeEverything(1);
    assertThat(nodes(tree)).isNotEqualTo(expected);
    assertThat(nodes(written(snapshot))).isEqualTo(expected);
  }

  @Test
  void aSnapshotThatIsWrittenDuringChangesHasTheTreeOfItsMoment() throws Exception {
    fill();
    for (int i = 1; i <= 20; i++) {
      int round = i;
      TreeMap<String, String> expected = nodes(tree);
      TreeSnapshot snapshot = tree.snapshot();
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<Void> changes =
          CompletableFuture.runAsync(
              () -> {
                await(start);
                changeEverything(round);
              });
      await(start);
      byte[] bytes = written(snapshot);
      changes.get();
      assertThat(nodes(bytes)).as("round %d", round).isEqualTo(expected);
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception impossible) {
      throw new AssertionError("no start", impossible);
    }
  }

  @Test
  void theOldestOfFiveOpenSnapshotsIsGivenUpAndTheOthersAreComplete() throws IOException {
    fill();
    List<TreeSnapshot> snapshots = new ArrayList<>();
    List<TreeMap<String, String>> expected = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      expected.add(nodes(tree));
      snapshots.add(tree.snapshot());
      changeEverything(i);
    }
    assertThatThrownBy(() -> written(snapshots.getFirst()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too many checkpoints");
    for (int i = 1; i < 5; i++) {
      assertThat(nodes(written(snapshots.get(i)))).isEqualTo(expected.get(i));
    }
  }
}
