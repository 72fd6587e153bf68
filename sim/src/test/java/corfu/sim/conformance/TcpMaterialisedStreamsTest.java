package corfu.sim.conformance;

import corfu.node.ClusterConfig;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Streams with stream replicas over TCP, on disks. */
final class TcpMaterialisedStreamsTest extends StreamConformance {

  @TempDir private static Path directory;

  @Override
  protected Ground start() {
    return Grounds.overTcp(
        directory,
        (own, port) -> ClusterConfig.local(own, port, 3, 1, UnitMode.DURABLE).withStreamReplicas(1),
        3);
  }
}
