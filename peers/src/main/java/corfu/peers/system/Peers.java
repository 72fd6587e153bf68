package corfu.peers.system;

import corfu.node.local.JavaCommand;
import java.util.List;

/** All systems that ours can be compared with. */
public final class Peers {

  private Peers() {}

  /**
   * In no order of merit.
   *
   * @param java how to start a process of this program
   */
  public static List<Peer> all(JavaCommand java) {
    return List.of(
        new BookKeeperPeer(),
        new KafkaPeer(),
        new ZooKeeperPeer(),
        new EtcdPeer(),
        new NatsPeer(),
        new RedisPeer(java));
  }
}
