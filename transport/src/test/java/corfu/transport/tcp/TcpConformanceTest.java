package corfu.transport.tcp;

import corfu.transport.TransportConformance;
import org.junit.jupiter.api.AfterAll;

class TcpConformanceTest extends TransportConformance {

  TcpConformanceTest() {
    super(new TcpGround());
  }

  @AfterAll
  static void everyBufferWasReleased() {
    TcpGround.assertThatEveryBufferWasReleased();
  }
}
