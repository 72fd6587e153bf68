package corfu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.command.CorfuProgram;
import org.junit.jupiter.api.Test;

class CorfuProgramTest {

  @Test
  void itsNameIsThatOfItsMainClass() {
    assertThat(CorfuProgram.command().mainClass()).isEqualTo(Main.class.getName());
  }
}
