package corfu.objects;

import corfu.runtime.Corfu;
import corfu.runtime.cluster.RoleCluster;

/** A cluster, and the objects of two independent clients. */
final class TwoClients implements AutoCloseable {

  final RoleCluster cluster = RoleCluster.builder().nodes(2).replicas(2).start();
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
    cluster.changeEpoch(corfu);
  }

  @Override
  public void close() {
    corfu.close();
    other.close();
    cluster.close();
  }
}
