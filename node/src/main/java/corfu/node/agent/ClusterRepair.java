package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The changes that an agent can make. Each call blocks, and throws {@link
 * corfu.runtime.CorfuException} if required servers do not answer.
 */
interface ClusterRepair {

  /** Makes changes fail that wait for one of these servers, now and until the next call. */
  void silent(Set<Endpoint> servers);

  /**
   * Has the next layout decided that fits the cluster health. Tries once: the caller looks again
   * before it tries again.
   *
   * @return the new layout, or the known one if there is nothing to do
   */
  Layout heal(Layout known, ClusterHealth clusterHealth);

  /**
   * Copies the entries that are missing in the target of the segment with this start; this may last
   * long.
   *
   * @return the layout under which everything was found copied, or empty if there is no such target
   *     any more
   */
  Optional<Layout> rebuild(Layout known, long segmentStart, Consumer<NodeReply.Rebuild> progress);

  /** Makes a completely copied target the arrangement of its segment. Tries once. */
  Layout finish(Layout copied, long segmentStart, ClusterHealth clusterHealth);
}
