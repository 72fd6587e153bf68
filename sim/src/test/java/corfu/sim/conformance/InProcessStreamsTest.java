package corfu.sim.conformance;

import corfu.node.EmbeddedCluster;

/** Streams by backpointers, inside one process. */
final class InProcessStreamsTest extends StreamConformance {

  @Override
  protected Ground start() {
    return Grounds.embedded(EmbeddedCluster.builder().nodes(3).replicas(2));
  }
}
