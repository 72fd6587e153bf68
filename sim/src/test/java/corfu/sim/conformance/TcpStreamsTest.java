package corfu.sim.conformance;

import corfu.node.ClusterConfig;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Streams by backpointers over TCP, on disks. */
final class TcpStreamsTest extends StreamConformance {

  @TempDir private static Path directory;

  @Override
  protected Ground start() {
    return Grounds.overTcp(
        directory, (own, port) -> ClusterConfig.local(own, port, 2, 2, UnitMode.DURABLE), 2);
  }
}
