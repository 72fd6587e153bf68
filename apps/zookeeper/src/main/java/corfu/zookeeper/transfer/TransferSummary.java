package corfu.zookeeper.transfer;

import corfu.zookeeper.machine.NamespaceMachine;

/**
 * The size of a state that was imported or exported.
 *
 * @param zxid the zxid of the last change
 * @param nodes the number of nodes as ZooKeeper's {@code srvr} counts them, with its own ones
 * @param sessions the number of sessions
 */
public record TransferSummary(long zxid, int nodes, int sessions) {

  static TransferSummary of(NamespaceMachine machine) {
    return new TransferSummary(
        machine.zxid(), machine.database().getNodeCount(), machine.sessions().size());
  }
}
