package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How an agent changes a cluster. Each call blocks, and throws {@link corfu.runtime.CorfuException}
 * where servers that are needed do not answer.
 */
interface Healer {

  /** Changes that wait for one of these servers fail, now and until this is said of others. */
  void silent(Set<Endpoint> servers);

  /**
   * Has the next layout decided that fits the cluster health; the same one where nothing is to be
   * done. Tries once: the caller looks again before it tries again.
   */
  Layout heal(Layout known, ClusterHealth clusterHealth);

  /**
   * Copies what the target of the segment that starts there still misses, however long that takes.
   *
   * @return the layout under which everything was found copied; empty if there is no such target
   *     any more
   */
  Optional<Layout> rebuild(Layout known, long segmentStart, Consumer<NodeReply.Rebuild> progress);

  /**
   * Makes the target of a segment, to which everything has been copied, its arrangement. Tries
   * once.
   */
  Layout finish(Layout copied, long segmentStart, ClusterHealth clusterHealth);
}
