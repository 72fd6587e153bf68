package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What an agent makes of the cluster health.
 *
 * @param clusterHealth with the spares that it trusts
 * @param ailments what another layout may cure; empty if nothing ails the cluster
 * @param rebuild where the first segment starts for which something is to be copied, among servers
 *     that live
 */
record Finding(ClusterHealth clusterHealth, List<Ailment> ailments, OptionalLong rebuild) {

  Finding {
    ailments = List.copyOf(ailments);
  }

  /** Whose repetition means that nothing has changed. */
  record Case(Epoch epoch, List<Ailment> ailments, Set<Endpoint> usableSpares) {}

  Case asCase() {
    return new Case(clusterHealth.layout().epoch(), ailments, clusterHealth.usableSpares());
  }
}
