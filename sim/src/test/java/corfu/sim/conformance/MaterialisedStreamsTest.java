package corfu.sim.conformance;

import corfu.node.EmbeddedCluster;

/** Streams with stream replicas, inside one process. */
final class MaterialisedStreamsTest extends StreamConformance {

  @Override
  protected Ground start() {
    return Grounds.embedded(EmbeddedCluster.builder().nodes(4).replicas(1).streamReplicas(1));
  }
}
