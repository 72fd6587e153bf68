package corfu.transport.tcp;

import corfu.transport.ClusterConformance;
import org.junit.jupiter.api.AfterAll;

class TcpClusterConformanceTest extends ClusterConformance {

  TcpClusterConformanceTest() {
    super(new TcpGround());
  }

  @AfterAll
  static void everyBufferWasReleased() {
    TcpGround.assertThatEveryBufferWasReleased();
  }
}
