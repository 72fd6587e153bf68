package corfu.zookeeper.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataTree;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's tree, of which a moment can be written while it changes. Before a node changes, the
 * open snapshots get a copy of it.
 *
 * <p>Changes happen under the write lock, reads under the read lock. So a read sees all of a multi
 * or nothing.
 */
final class NamespaceTree extends DataTree {

  /** A snapshot that nobody writes must not preserve nodes for ever. */
  private static final int MAX_SNAPSHOTS = 4;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private @Nullable List<TreeSnapshot> snapshots; // null while the super class constructs

  NamespaceTree() {
    snapshots = new ArrayList<>();
  }

  ReentrantReadWriteLock lock() {
    return lock;
  }

  /** Returns a snapshot of the present tree. Its writer or its owner closes it. */
  TreeSnapshot snapshot() {
    lock.writeLock().lock();
    try {
      TreeSnapshot snapshot = new TreeSnapshot(this);
      List<TreeSnapshot> open = open();
      open.add(snapshot);
      if (open.size() > MAX_SNAPSHOTS) {
        open.removeFirst().discard();
      }
      return snapshot;
    } finally {
      lock.writeLock().unlock();
    }
  }

  void close(TreeSnapshot snapshot) {
    lock.writeLock().lock();
    try {
      open().remove(snapshot);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private List<TreeSnapshot> open() {
    return snapshots == null ? List.of() : snapshots;
  }

  private void preserve(String path) {
    for (TreeSnapshot snapshot : open()) {
      snapshot.preserve(path);
    }
  }

  private void preserveWithParent(String path) {
    if (!open().isEmpty()) {
      preserve(path);
      preserve(parentOf(path));
    }
  }

  private static String parentOf(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  @Override
  public void createNode(
      String path,
      byte[] data,
      List<ACL> acl,
      long ephemeralOwner,
      int parentCVersion,
      long zxid,
      long time,
      @Nullable Stat outputStat)
      throws NoNodeException, NodeExistsException {
    preserveWithParent(path);
    if (path.startsWith(Quotas.quotaZookeeper)) {
      preserve(parentOf(path) + "/" + Quotas.statNode); // a new limit counts what is there
    }
    super.createNode(path, data, acl, ephemeralOwner, parentCVersion, zxid, time, outputStat);
  }

  @Override
  public void deleteNode(String path, long zxid) throws NoNodeException {
    preserveWithParent(path);
    super.deleteNode(path, zxid);
  }

  @Override
  public Stat setData(String path, byte[] data, int version, long zxid, long time)
      throws NoNodeException {
    preserve(path);
    return super.setData(path, data, version, zxid, time);
  }

  @Override
  public Stat setACL(String path, List<ACL> acl, int version) throws NoNodeException {
    preserve(path);
    return super.setACL(path, acl, version);
  }

  @Override
  public void setCversionPzxid(String path, int newCversion, long zxid) throws NoNodeException {
    preserve(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    super.setCversionPzxid(path, newCversion, zxid);
  }

  @Override
  public void updateQuotaStat(String lastPrefix, long bytesDiff, int countDiff) {
    preserve(Quotas.statPath(lastPrefix));
    super.updateQuotaStat(lastPrefix, bytesDiff, countDiff);
  }
}
