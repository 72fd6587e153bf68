package corfu.cli.demo;

import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;

/** The clients of the demo. */
final class DemoClients {

  private DemoClients() {}

  /** Returns a client as another process has it if there is TLS, or else one in the process. */
  static Corfu connect(EmbeddedCluster cluster) {
    return cluster.hasTls() ? cluster.connectByTls() : cluster.connect();
  }
}
