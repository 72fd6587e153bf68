package corfu.zookeeper.transfer;

import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachineReplica;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.machine.NamespaceMachine;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * Writes a namespace as a snapshot of Apache ZooKeeper, from which its servers start. Nodes keep
 * their stats and ACLs, and sessions stay valid. Changes nothing in the log.
 *
 * <p>Thread-safe.
 */
public final class NamespaceExport {

  private static final String VERSION_DIRECTORY = "version-2";

  private static final SmrOptions READ_ONLY =
      SmrOptions.DEFAULT.withCheckpointEvery(0).withKeepCheckpoints(0);

  private NamespaceExport() {}

  /**
   * Exports a namespace.
   *
   * @param at the log address below which all changes are exported; empty means the present end
   * @param dataDir the {@code dataDir} of the new server, where the directory {@code version-2}
   *     must be missing or empty
   * @throws IOException if the snapshot cannot be written, or the directory is in use
   * @throws IllegalArgumentException if the log ends before the address, or the namespace has no
   *     change there
   * @throws corfu.smr.HistoryForgottenException if the history of the address is deleted
   */
  public static TransferSummary run(
      Corfu corfu, String namespace, Optional<Address> at, Path dataDir) throws IOException {
    Path directory = dataDir.resolve(VERSION_DIRECTORY);
    requireEmpty(directory);
    NamespaceMachine machine = read(corfu, namespace, at);
    if (machine.zxid() == 0) {
      throw new IllegalArgumentException("namespace %s has no changes yet".formatted(namespace));
    }
    Files.createDirectories(directory);
    ZKDatabase database = machine.database();
    var files = new FileTxnSnapLog(dataDir.toFile(), dataDir.toFile());
    try {
      files.save(database.getDataTree(), database.getSessionWithTimeOuts(), true);
    } finally {
      files.close();
    }
    return TransferSummary.of(machine);
  }

  private static void requireEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (var files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw new FileAlreadyExistsException(
            directory + " has files already: export into an empty directory");
      }
    }
  }

  private static NamespaceMachine read(Corfu corfu, String namespace, Optional<Address> at) {
    String name = ZooKeeperService.nameOf(namespace);
    try (var replica = StateMachineReplica.open(corfu, name, NamespaceMachine::new, READ_ONLY)) {
      replica.sync();
      return replica.at(at.orElseGet(replica::played));
    }
  }
}
