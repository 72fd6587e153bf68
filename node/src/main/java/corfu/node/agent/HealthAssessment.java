package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An agent's conclusion from an cluster health.
 *
 * @param clusterHealth the clusterHealth with the trusted spares
 * @param ailments the faults that another layout may cure; empty if there are none
 * @param rebuild the start of the first segment that is to be copied among live servers
 */
record HealthAssessment(
    ClusterHealth clusterHealth, List<ClusterProblem> ailments, OptionalLong rebuild) {

  HealthAssessment {
    ailments = List.copyOf(ailments);
  }

  /** A finding's identity: an equal case means that nothing has changed. */
  record Case(Epoch epoch, List<ClusterProblem> ailments, Set<Endpoint> usableSpares) {}

  Case asCase() {
    return new Case(clusterHealth.layout().epoch(), ailments, clusterHealth.usableSpares());
  }
}
