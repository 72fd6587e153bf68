package corfu.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

  private final ProcessIdentity self = ProcessIdentity.current();

  @Test
  void aRunningProcessHasNotEnded() {
    assertThat(self.hasEnded()).isFalse();
    assertThat(ProcessIdentity.current()).isEqualTo(self);
  }

  @Test
  void aProcessWithTheNumberOfAnEarlierOneIsAnother() {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")), "this platform has no /proc");
    var earlier = new ProcessIdentity(self.machine(), self.number(), self.startTicks() - 1);
    assertThat(earlier.hasEnded()).isTrue();
  }

  @Test
  void nobodyKnowsAboutProcessesOfOtherMachines() {
    assertThat(new ProcessIdentity("other", 1, 2).hasEnded()).isFalse();
    assertThat(new ProcessIdentity("", 1, 2).hasEnded()).isFalse();
  }
}
