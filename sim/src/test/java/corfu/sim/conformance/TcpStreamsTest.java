package corfu.sim.conformance;

import corfu.node.ClusterConfig;
import corfu.roles.logunit.UnitMode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Streams by backpointers over TCP, on disks. */
final class TcpStreamsTest extends StreamConformance {

  @TempDir private static Path directory;

  @Override
  protected Ground start() {
    Path own = directory.resolve(Integer.toString(Grounds.freePort()));
    return Grounds.overTcp(ClusterConfig.local(own, 1, 2, 2, UnitMode.DURABLE));
  }
}
