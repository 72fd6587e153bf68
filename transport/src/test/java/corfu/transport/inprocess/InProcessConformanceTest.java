package corfu.transport.inprocess;

import corfu.transport.TransportConformance;

class InProcessConformanceTest extends TransportConformance {

  InProcessConformanceTest() {
    super(new InProcessGround());
  }
}
