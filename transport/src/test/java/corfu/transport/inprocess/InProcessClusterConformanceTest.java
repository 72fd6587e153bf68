package corfu.transport.inprocess;

import corfu.transport.ClusterConformance;

class InProcessClusterConformanceTest extends ClusterConformance {

  InProcessClusterConformanceTest() {
    super(new InProcessGround());
  }
}
