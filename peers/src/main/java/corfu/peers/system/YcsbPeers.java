package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.CorfuYcsb;
import java.util.List;

/** The systems that YCSB runs on. */
public final class YcsbPeers {

  private YcsbPeers() {}

  /** Returns Corfu's store. */
  public static PeerSystem ours(JavaCommand java) {
    return new CorfuSystem(java, CorfuYcsb.class.getName());
  }

  /**
   * Returns the other systems; their order has no meaning.
   *
   * @param java the command that starts a process of this program
   */
  public static List<PeerSystem> all(JavaCommand java) {
    return List.of(
        new EtcdPeer("ycsb-etcd", "YcsbEtcd.java"),
        new YcsbRedisPeer(new RedisPeer(java)),
        new CassandraPeer());
  }
}
