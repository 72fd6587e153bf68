package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.CorfuMap;
import java.util.List;

/** The systems with replicated maps. */
public final class MapPeers {

  private MapPeers() {}

  /** Returns Corfu. */
  public static PeerSystem ours(JavaCommand java) {
    return new CorfuSystem(java, CorfuMap.class.getName());
  }

  /** Returns the other systems. */
  public static List<PeerSystem> all() {
    return List.of(new CorfuDbPeer());
  }
}
