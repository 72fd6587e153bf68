package corfu.bench.view;

import corfu.bench.harness.BenchCluster;
import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections shared by many clients, each with objects of its own. Otherwise a thousand clients in
 * one process would need a thousand event loops.
 */
final class SharedConnections implements AutoCloseable {

  private static final int COUNT = 4;

  private final List<Corfu> all = new ArrayList<>();

  private SharedConnections() {}

  static SharedConnections open(BenchCluster cluster) {
    var connections = new SharedConnections();
    for (int i = 0; i < COUNT; i++) {
      connections.all.add(cluster.connect());
    }
    return connections;
  }

  /** Returns the objects of one client. Checkpoints are manual. */
  ReplicatedObjects objects(int client) {
    var options = ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL);
    return ReplicatedObjects.over(all.get(client % COUNT), options);
  }

  @Override
  public void close() {
    all.forEach(Corfu::close);
  }
}
