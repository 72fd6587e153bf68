package corfu.node;

/** Streams with replicas of their own, inside one process. */
final class MaterialisedStreamsTest extends StreamConformance {

  @Override
  Ground start() {
    return InProcessStreamsTest.on(
        EmbeddedCluster.builder().nodes(4).replicas(1).streamReplicas(1));
  }
}
