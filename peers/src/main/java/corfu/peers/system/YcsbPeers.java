package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.CorfuYcsb;
import java.util.List;

/** The systems on which YCSB is run. */
public final class YcsbPeers {

  private YcsbPeers() {}

  /** Ours: the store. */
  public static Peer ours(JavaCommand java) {
    return new CorfuSystem(java, CorfuYcsb.class.getName());
  }

  /**
   * The others, in no order of merit.
   *
   * @param java how to start a process of this program
   */
  public static List<Peer> all(JavaCommand java) {
    return List.of(
        new EtcdPeer("ycsb-etcd", "YcsbEtcd.java"),
        new YcsbRedisPeer(new RedisPeer(java)),
        new CassandraPeer());
  }
}
