package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.CorfuMap;
import java.util.List;

/** The systems that have replicated maps. */
public final class MapPeers {

  private MapPeers() {}

  /** Ours. */
  public static Peer ours(JavaCommand java) {
    return new CorfuSystem(java, CorfuMap.class.getName());
  }

  /** The others. */
  public static List<Peer> all() {
    return List.of(new CorfuDbPeer());
  }
}
