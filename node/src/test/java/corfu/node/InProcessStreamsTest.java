package corfu.node;

import corfu.runtime.CorfuOptions;
import corfu.transport.Transport;
import corfu.world.World;

/** Streams by backpointers, inside one process. */
final class InProcessStreamsTest extends StreamConformance {

  @Override
  Ground start() {
    return on(EmbeddedCluster.builder().nodes(3).replicas(2));
  }

  static Ground on(EmbeddedCluster.Builder builder) {
    EmbeddedCluster cluster = builder.supervision(Supervision.DEFAULT.withAgent(false)).start();
    return new Ground() {
      @Override
      public CorfuOptions options() {
        return cluster.clientOptions();
      }

      @Override
      public World world() {
        return cluster.world();
      }

      @Override
      public Transport transport() {
        return cluster.transport();
      }

      @Override
      public void close() {
        cluster.close();
      }
    };
  }
}
