package corfu.cli.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ZooKeeperDemoTest {

  @Test
  void everyCheckOfTheDemoPasses() {
    Ran ran = Ran.corfu("zookeeper", "demo");
    assertThat(ran.status()).as(ran.err() + ran.out()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .contains("client 1 leads", "client 2 leads", "client 3 leads")
        .contains("counted to 60 under a lock", "counted to 120 under a lock")
        .contains("killed server 1", "added server 4", "from a checkpoint", "all of it held");
  }
}
