package corfu.peers.system;

import corfu.node.local.JavaCommand;
import java.util.List;

/** The systems that Corfu can be compared with. */
public final class Peers {

  private Peers() {}

  /**
   * Returns all systems; their order has no meaning.
   *
   * @param java the command that starts a process of this program
   */
  public static List<PeerSystem> all(JavaCommand java) {
    return List.of(
        new BookKeeperPeer(),
        new KafkaPeer(),
        new ZooKeeperPeer(),
        new EtcdPeer(),
        new NatsPeer(),
        new RedisPeer(java));
  }
}
