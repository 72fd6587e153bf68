package corfu.zookeeper.transfer;

import corfu.runtime.Corfu;
import corfu.smr.StateMachineReplica;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.machine.NamespaceMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.TxnHeader;

/**
 * Begins a namespace with the data of a server of Apache ZooKeeper: its newest snapshot, and the
 * transactions behind it. Nodes keep their stats and ACLs. Sessions stay valid, with their
 * ephemeral nodes, until their timeouts end without their clients.
 *
 * <p>Thread-safe.
 */
public final class NamespaceImport {

  private static final String VERSION_DIRECTORY = "version-2";
  private static final long NO_SNAPSHOT = -1;

  private NamespaceImport() {}

  /**
   * Imports the data of a server. Does not change its files.
   *
   * @param namespace the namespace, which must be new
   * @param dataDir the server's {@code dataDir}, which has the snapshots
   * @param logDir the server's {@code dataLogDir}, which has the transaction logs; often the same
   * @throws IOException if the files are missing or damaged
   * @throws corfu.smr.MachineNotEmptyException if the namespace has been served or imported before
   */
  public static TransferSummary run(Corfu corfu, String namespace, Path dataDir, Path logDir)
      throws IOException {
    NamespaceMachine machine = read(dataDir, logDir);
    StateMachineReplica.seed(corfu, ZooKeeperService.nameOf(namespace), machine.save());
    return TransferSummary.of(machine);
  }

  private static NamespaceMachine read(Path dataDir, Path logDir) throws IOException {
    Path snapshots = versionDirectory(dataDir);
    Path logs = versionDirectory(logDir);
    NamespaceMachine machine = new NamespaceMachine();
    machine.fill((tree, sessions) -> restore(snapshots, logs, tree, sessions));
    return machine;
  }

  private static Path versionDirectory(Path parent) throws IOException {
    Path directory = parent.resolve(VERSION_DIRECTORY);
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(
          "%s has no directory %s: name the dataDir of a ZooKeeper server"
              .formatted(parent, VERSION_DIRECTORY));
    }
    return directory;
  }

  /**
   * Reads the files by themselves: ZooKeeper's class for both wants to write to the directories.
   */
  private static long restore(Path snapshots, Path logs, DataTree tree, Map<Long, Integer> sessions)
      throws IOException {
    if (new FileSnap(snapshots.toFile()).deserialize(tree, sessions) == NO_SNAPSHOT) {
      throw new IOException("there is no snapshot in " + snapshots);
    }
    long lastTimeMillis = 0;
    var log = new FileTxnLog(logs.toFile());
    try (TxnIterator transactions = log.read(tree.lastProcessedZxid + 1)) {
      for (TxnHeader header = transactions.getHeader();
          header != null;
          header = transactions.next() ? transactions.getHeader() : null) {
        play(header, transactions.getTxn(), tree, sessions);
        tree.compareDigest(header, transactions.getTxn(), transactions.getDigest());
        lastTimeMillis = Math.max(lastTimeMillis, header.getTime());
      }
    } finally {
      log.close();
    }
    return lastTimeMillis;
  }

  /**
   * A server writes its snapshot while the tree changes. So a change that the snapshot has already
   * fails here, and that is no damage.
   */
  private static void play(
      TxnHeader header, Record transaction, DataTree tree, Map<Long, Integer> sessions) {
    if (transaction instanceof CreateSessionTxn created) {
      sessions.put(header.getClientId(), created.getTimeOut());
    } else if (header.getType() == OpCode.closeSession) {
      sessions.remove(header.getClientId());
    }
    tree.processTxn(header, transaction);
  }
}
