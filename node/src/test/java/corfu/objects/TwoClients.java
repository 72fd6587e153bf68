package corfu.objects;

import corfu.node.EmbeddedCluster;
import corfu.node.Epochs;
import corfu.node.Supervision;
import corfu.runtime.Corfu;

/** A cluster, and the objects of two independent clients. */
final class TwoClients implements AutoCloseable {

  final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(2)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  final Corfu corfu = cluster.connect();
  final Corfu other = cluster.connect();
  final ReplicatedObjects here;
  final ReplicatedObjects there;

  TwoClients() {
    this(ObjectOptions.DEFAULT);
  }

  TwoClients(ObjectOptions options) {
    here = ReplicatedObjects.over(corfu, options);
    there = ReplicatedObjects.over(other, options);
  }

  /** Begins a new epoch, whose sequencer remembers nothing. */
  void changeEpoch() {
    Epochs.change(cluster, corfu);
  }

  @Override
  public void close() {
    corfu.close();
    other.close();
    cluster.close();
  }
}
