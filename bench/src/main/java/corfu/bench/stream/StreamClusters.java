package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.roles.logunit.options.UnitMode;
import java.util.List;

/**
 * Two clusters of as many nodes, on which each entry has as many copies: in one all are in the log,
 * where streams are read by backpointers; in the other half of them are the streams'.
 */
final class StreamClusters implements AutoCloseable {

  private static final int NODES = 2;

  private final BenchCluster plain;
  private final BenchCluster replicated;

  private StreamClusters(BenchCluster plain, BenchCluster replicated) {
    this.plain = plain;
    this.replicated = replicated;
  }

  /** One of the two. */
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

  /** Nobody changes their layouts. */
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
