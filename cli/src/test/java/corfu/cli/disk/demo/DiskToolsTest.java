package corfu.cli.disk.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.cli.command.CommandException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DiskToolsTest {

  @Test
  void theOutputOfAProgramIsReturned() throws Exception {
    assertThat(DiskTools.run("sh", "-c", "echo one; echo two >&2")).isEqualTo("one\ntwo\n");
  }

  @Test
  void aProgramThatFailsIsToldWithItsOutput() {
    assertThatThrownBy(() -> DiskTools.run("sh", "-c", "echo reason; exit 7"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("sh -c echo reason; exit 7 ended with status 7: reason");
  }

  @Test
  void aProgramThatDoesNotEndIsKilledAtItsDeadline() {
    String endless = "echo began; exec tail -f /dev/null";
    assertThatThrownBy(() -> DiskTools.run(Duration.ofMillis(500), "sh", "-c", endless))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("did not end within 500 ms");
  }

  @Test
  void programsThatAreNotInstalledAreNotThere() {
    assertThat(DiskTools.have("sh")).isTrue();
    assertThat(DiskTools.have("sh", "no-such-program-of-corfu")).isFalse();
  }
}
