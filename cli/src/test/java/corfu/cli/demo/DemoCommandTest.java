package corfu.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

  @TempDir Path directory;

  @Test
  void everyLineOfAFileSurvivesTheDemo() throws IOException {
    var text =
        IntStream.range(0, 5000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
    Path file = Files.writeString(directory.resolve("file"), text);

    var ran = Ran.corfu("demo", file.toString());

    assertThat(ran.err()).doesNotContain("corfu:");
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .contains("5,000 lines", "n1 killed half way", "n4 stands in for n1", "all of it held")
        .contains("10,000 words of 5,000 lines in a replicated map, 5,001 of them different")
        .containsPattern("200 transactions of 4 clients, .*, n2 killed half way")
        .contains("the map holds what a plain count says");
  }

  @Test
  void itSaysToScriptsWhatEachUnitHolds() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a\n\nb\n");

    var ran = Ran.corfu("demo", "--json", file.toString());

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines())
        .singleElement()
        .asString()
        .contains("\"ok\":true", "\"lines\":3", "\"killed\":\"n1\"")
        .contains("\"words\":2", "\"transactions\":3", "\"killedWhileCounting\":\"n2\"");
    assertThat(ran.out().split("\"entries\":", -1)).hasSize(5);
  }

  @Test
  void itRunsOverTls() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a\n\nb\n".repeat(500));

    var ran = Ran.corfu("demo", "--tls", file.toString());

    assertThat(ran.status()).as(ran.err()).isEqualTo(ExitCode.OK);
    assertThat(ran.out()).contains("clients connect by mutual TLS", "all of it held");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    var ran = Ran.corfu("demo", directory.resolve("missing").toString());

    assertThat(ran.status()).isEqualTo(ExitCode.FAILED);
    assertThat(ran.err()).contains("missing");
  }
}
