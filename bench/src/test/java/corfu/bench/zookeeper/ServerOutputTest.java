package corfu.bench.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bench.harness.LiveHeap;
import corfu.bench.harness.TetheredMain;
import corfu.bench.zookeeper.load.EnsembleLoad;
import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The texts that servers print, and those that they read. */
class ServerOutputTest {

  @Test
  void theLastLineOfAClassHistogramHasTheBytesOfAllObjects() throws IOException {
    String histogram =
        """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:         24526        1375264  [B (java.base@25)
           2:         23884         573216  java.lang.String (java.base@25)
        Total         48410        1948480
        """;

    assertThat(LiveHeap.total(histogram)).isEqualTo(1_948_480);
  }

  @Test
  void anotherTextIsNoClassHistogram() {
    assertThatThrownBy(() -> LiveHeap.total("4711:\nno such process\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such process");
  }

  @Test
  void theHeapOfAnotherProcessHoldsObjects() throws Exception {
    Process process = JavaCommand.likeThisProcess(EnsembleLoad.class.getName()).with().start();
    try (var orders = process.outputWriter()) {
      // once it answers, it is ready for other processes, too
      orders.write(new EnsembleOrder.Open("ours", List.of("127.0.0.1:1")).toLine() + "\n");
      orders.flush();
      assertThat(process.inputReader().readLine()).startsWith("observed 0 ");

      assertThat(LiveHeap.of(process.pid())).isPositive();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aTetheredProcessEndsWithItsInput() throws Exception {
    Process process =
        JavaCommand.likeThisProcess(TetheredMain.class.getName())
            .with(EnsembleLoad.class.getName())
            .start();

    process.getOutputStream().close();

    assertThat(process.waitFor()).isZero();
  }

  @Test
  void onlyTheLeaderSaysThatItLeads() {
    assertThat(ServerProbe.leads("Zookeeper version: 3.9.5\nMode: leader\nNode count: 5\n"))
        .isTrue();
    assertThat(ServerProbe.leads("Mode: follower\nProposal sizes of the leader: 3\n")).isFalse();
  }

  @Test
  void aPortWithoutAServerGrantsNoSession() throws IOException {
    int port;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    assertThat(ServerProbe.grantsSession(port)).isFalse();
  }

  @Test
  void aServerOfAnEnsembleKnowsTheOthersAndSyncs() {
    assertThat(RealEnsemble.text(Path.of("/data"), 2181, List.of(1, 2, 3, 4)))
        .contains("dataDir=/data\n", "clientPort=2181\n", "forceSync=yes\n")
        .contains("server.1=127.0.0.1:1:2\nserver.2=127.0.0.1:3:4\n");
    assertThat(RealEnsemble.text(Path.of("/data"), 2181, List.of(1, 2))).doesNotContain("server.1");
  }

  @Test
  void aTranslationServerLearnsItsLogItsPortAndItsPoll() {
    assertThat(CorfuEnsemble.arguments("127.0.0.1:9000,127.0.0.1:9001", 2181, Poll.MS10))
        .containsExactly(
            "zookeeper",
            "serve",
            "--servers",
            "127.0.0.1:9000,127.0.0.1:9001",
            "--port",
            "2181",
            "--poll",
            "10ms");
  }
}
