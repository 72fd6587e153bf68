package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;

/**
 * Two clusters of as many nodes and as many copies of each entry. In one cluster all copies are in
 * the log, and readers use backpointers. In the other, half of the copies are on stream replicas.
 */
final class StreamClusters implements AutoCloseable {

  private static final int NODES = 2;

  private final BenchCluster plain;
  private final BenchCluster replicated;

  private StreamClusters(BenchCluster plain, BenchCluster replicated) {
    this.plain = plain;
    this.replicated = replicated;
  }

  /** One of the two clusters. */
  record Kind(String name, BenchCluster cluster) {}

  static StreamClusters start(JavaCommand java, UnitMode mode) {
    var plain = BenchCluster.start(java, shape(NODES, 0, mode));
    try {
      return new StreamClusters(plain, BenchCluster.start(java, shape(NODES / 2, NODES / 2, mode)));
    } catch (RuntimeException failure) {
      plain.close();
      throw failure;
    }
  }

  /** Returns the shape of a cluster whose layout no agent changes. */
  private static BenchCluster.Shape shape(int replicas, int streamReplicas, UnitMode mode) {
    var supervision = Supervision.DEFAULT.withAgent(false);
    return new BenchCluster.Shape(NODES, 0, replicas, streamReplicas, mode, supervision);
  }

  BenchCluster plain() {
    return plain;
  }

  BenchCluster replicated() {
    return replicated;
  }

  List<Kind> both() {
    return List.of(new Kind("backpointers", plain), new Kind("stream replicas", replicated));
  }

  @Override
  public void close() {
    try (plain) {
      replicated.close();
    }
  }
}
