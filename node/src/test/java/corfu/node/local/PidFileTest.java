package corfu.node.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {

  @TempDir Path directory;
  private Process process;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sleep", "300").start();
  }

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  private PidFile file(String... markers) {
    return new PidFile(directory.resolve("n1.pid"), List.of(markers));
  }

  @Test
  void theProcessThatWasWrittenDownIsFoundWhileItRuns() throws InterruptedException {
    var file = file("300");
    file.write(process.pid());

    assertThat(file.process()).contains(process.toHandle());

    process.destroyForcibly().waitFor();
    assertThat(file.process()).isEmpty();
  }

  @Test
  void aNumberThatNowBelongsToAnotherProgramIsNobodys() {
    file("300").write(process.pid());

    assertThat(file("server", "--config", "corfu.toml").process()).isEmpty();
  }

  @Test
  void thePidIsAllThatScriptsFindInTheFile() throws IOException {
    file("300").write(process.pid());

    assertThat(directory.resolve("n1.pid")).hasContent(process.pid() + "\n");
    assertThat(Files.list(directory)).hasSize(1);
  }

  @Test
  void whatHoldsNoNumberSpeaksOfNoProcess() throws IOException {
    assertThat(file("300").process()).isEmpty();

    Files.writeString(directory.resolve("n1.pid"), "not a number");
    assertThat(file("300").process()).isEmpty();
  }
}
