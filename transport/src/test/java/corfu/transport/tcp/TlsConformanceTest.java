package corfu.transport.tcp;

import corfu.transport.ClusterConformance;
import corfu.transport.TransportConformance;
import corfu.transport.tls.TlsEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** All tests of transports, over TLS, with both of its implementations. */
class TlsConformanceTest {

  @AfterAll
  static void everyBufferWasReleased() {
    TcpGround.assertThatEveryBufferWasReleased();
  }

  @Nested
  class WithTheJdk extends TransportConformance {
    WithTheJdk() {
      super(TcpGround.encrypted(TlsEngine.JDK));
    }
  }

  @Nested
  class WithBoringSsl extends TransportConformance {
    WithBoringSsl() {
      super(TcpGround.encrypted(TlsEngine.NATIVE));
    }
  }

  @Nested
  class OfClustersWithTheJdk extends ClusterConformance {
    OfClustersWithTheJdk() {
      super(TcpGround.encrypted(TlsEngine.JDK));
    }
  }

  @Nested
  class OfClustersWithBoringSsl extends ClusterConformance {
    OfClustersWithBoringSsl() {
      super(TcpGround.encrypted(TlsEngine.NATIVE));
    }
  }
}
