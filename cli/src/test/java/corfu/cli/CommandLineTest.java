package corfu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.node.local.FreePorts;
import corfu.world.RealWorld;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The meaning of command lines, without a cluster. */
class CommandLineTest {

  /** An example in a command's help: what follows three spaces says what it is for. */
  private static final Pattern EXAMPLE = Pattern.compile("^  .*?corfu (.+?)(   .*)?$");

  private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

  @TempDir Path directory;

  @Test
  void completionKnowsCommandsAndOptions() {
    Ran script = Ran.corfuWith("", "completion");

    assertThat(script.status()).isZero();
    assertThat(script.out()).contains("complete -F", "stream", "--dir", "--in-order");
    assertThat(script.out()).as("options that nobody gives").doesNotContain("--default-dir");
  }

  @Test
  void withoutArgumentsAllCommandsAreListed() {
    var ran = Ran.corfu();

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.out())
        .contains("demo", "cluster", "append", "read", "tail", "follow", "trim", "fill", "stream")
        .contains("layout", "server", "bench", "status", "Exit status");
  }

  static List<String> everyCommand() {
    List<String> names = new ArrayList<>();
    addAll("", commands(), names);
    return names;
  }

  private static CommandLine commands() {
    var terminal =
        new Terminal(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream(),
            () -> false);
    return RootCommand.commandLine(terminal);
  }

  private static void addAll(String prefix, CommandLine command, List<String> names) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (!name.equals("help")) {
                names.add(prefix + name);
                addAll(prefix + name + " ", sub, names);
              }
            });
  }

  /** The examples in the help of all commands. */
  static List<String> everyExample() {
    List<String> examples = new ArrayList<>();
    for (String name : everyCommand()) {
      CommandLine command = commands();
      for (String word : name.split(" ")) {
        command = command.getSubcommands().get(word);
      }
      for (String line : command.getCommandSpec().usageMessage().footer()) {
        Matcher example = EXAMPLE.matcher(line);
        if (example.find()) {
          examples.add(example.group(1).strip());
        }
      }
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("everyExample")
  void everyExampleOfTheHelpIsUnderstood(String example) {
    List<String> words =
        WORD.matcher(example).results().map(word -> word.group().replace("'", "")).toList();

    assertThatCode(() -> commands().parseArgs(words.toArray(String[]::new)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void everyCommandExplainsItselfWithAnExample(String command) {
    var ran = Ran.corfu((command + " --help").split(" "));

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.out()).startsWith("Usage: corfu " + command).containsPattern("Examples?:");
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void helpFitsTerminalsOfManyWidths(String command) {
    for (int columns : new int[] {80, 100, 120}) {
      var ran = Ran.corfuOnTerminal(columns, (command + " --help").split(" "));
      assertThat(ran.lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void aLineOfAnExampleIsNotBroken(String command) {
    CommandLine line = commands();
    for (String word : command.split(" ")) {
      line = line.getSubcommands().get(word);
    }
    if (!command.startsWith("bench")) {
      assertThat(line.getCommandSpec().usageMessage().footer())
          .allSatisfy(footer -> assertThat(footer).hasSizeLessThanOrEqualTo(80));
    }
  }

  @Test
  void helpIsAsWideAsTheTerminalUpToABound() {
    assertThat(widestLine(Ran.corfu("--help"))).isLessThanOrEqualTo(80);
    assertThat(widestLine(Ran.corfuOnTerminal(40, "append", "--help"))).isBetween(41, 60);
    assertThat(widestLine(Ran.corfuOnTerminal(110, "append", "--help"))).isBetween(100, 110);
    assertThat(widestLine(Ran.corfuOnTerminal(300, "append", "--help"))).isBetween(110, 120);
  }

  private static int widestLine(Ran ran) {
    return ran.lines().stream().mapToInt(String::length).max().orElse(0);
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void oneOptionIsCalledTheSameInAllCommands(String command) {
    CommandLine line = commands();
    for (String word : command.split(" ")) {
      line = line.getSubcommands().get(word);
    }
    if (!command.startsWith("bench")) {
      assertThat(line.getCommandSpec().optionsMap().keySet())
          .doesNotContain("--count", "--max", "--last", "--first", "--streams", "--directory")
          .doesNotContain("--server", "--start", "--end", "--raw");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nosuch",
        "append --bogus",
        "append x --binary --dir d",
        "read",
        "read 1 --all --dir d",
        "read -1 --dir d",
        "read x --dir d",
        "read 1",
        "read 1 --dir d --servers h:1",
        "tail --servers nowhere",
        "tail --servers h:99999",
        "tail --dir d --timeout soon",
        "tail --dir d --cluster me",
        "trim --dir d",
        "trim 1 --before 2 --dir d",
        "stream",
        "stream append x --dir d",
        "stream append x --stream a --stream a --dir d",
        "stream append x --file f --stream a --dir d",
        "stream append x --stream id:7 --dir d",
        "stream read --dir d",
        "stream read 1 --from 2 --stream a --dir d",
        "stream read -1 --stream a --dir d",
        "stream read --limit 0 --stream a --dir d",
        "stream read 1 --stream a --stream b --dir d",
        "stream read --stream a --stream a --dir d",
        "stream read --stream a --stream b --stream c --to 1 --to 2 --dir d",
        "stream follow --limit 0 --stream a --dir d",
        "read 1 --limit 2 --dir d",
        "read --all --limit 0 --dir d",
        "follow --limit 0 --dir d",
        "object list --limit 0 --dir d",
        "object history a --limit 0 --dir d",
        "stream follow --stream a --stream b --stream c --from 1 --from 2 --dir d",
        "stream tail --stream a",
        "stream trim --stream a --dir d",
        "stream list --after a --dir d",
        "stream list --limit 0 --dir d",
        "cluster",
        "cluster start",
        "cluster kill --dir d",
        "cluster restart --dir d",
        "status",
        "status --dir d --servers h:1",
        "layout",
        "layout add --dir d",
        "layout add h:1",
        "layout add h:1 --role king --dir d",
        "layout drain --dir d",
        "layout replace h:1 --dir d",
        "read -5 --dir d",
        "read --from -5 --dir d",
        "tail --timeout -1s --dir d",
        "cluster start --nodes 0 --dir d",
        "cluster start --nodes -1 --dir d",
        "cluster start --replicas 0 --dir d",
        "cluster start --spares -1 --dir d",
        "cluster start --stream-replicas -1 --dir d",
        "server",
        "bench nosuch",
        "bench append --replicas 3 --nodes 2",
        "bench append --clients 0"
      })
  void aWrongCommandLineIsExplainedInAFewLines(String line) {
    var ran = Ran.corfu(line.split(" "));

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("corfu: ");
    assertThat(ran.err().lines()).hasSizeLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read -5 --dir d                          | a log address is a number from 0 up, but this is '-5'
          read --from -5 --dir d                   | a log address is a number from 0 up, but this is '-5'
          trim --before -5 --dir d                 | a log address is a number from 0 up, but this is '-5'
          stream read --from -5 --stream a --dir d | a stream address is a number from 0 up, but this is '-5'
          tail --timeout -1s --dir d               | a time is 0 or more, but this is '-1s'
          cluster start --nodes 0 --dir d          | --nodes is 1 or more, but not 0
          cluster start --replicas 0 --dir d       | --replicas is 1 or more, but not 0
          cluster start --spares -1 --dir d        | --spares is 0 or more, but not -1
          """)
  void aNumberThatIsTooSmallIsSaidToBeThat(String line, String reason) {
    assertThat(Ran.corfu(line.split(" ")).err()).contains(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster start",
        "cluster stop",
        "tail",
        "status",
        "layout drain n1",
        "mirror run"
      })
  void aFileIsNoClustersDirectory(String command) throws IOException {
    Path file = Files.writeString(directory.resolve("notes.txt"), "");
    var words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(
        command.startsWith("mirror")
            ? List.of("--from", file.toString(), "--to", file.toString())
            : List.of("--dir", file.toString()));

    var ran = Ran.corfu(words.toArray(String[]::new));

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains(file + " is ").hasLineCount(1);
  }

  @Test
  void aDirectoryWithoutAClusterIsNamedWithWhatToDo() {
    var ran = Ran.corfu("tail", "--dir", directory.toString());

    assertThat(ran.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(ran.err()).contains(directory.toString(), "corfu cluster start");
  }

  @Test
  void aPortWhereNobodyListensIsUnavailable() {
    int port;
    try (var world = new RealWorld()) {
      port = FreePorts.consecutive(1, world.random());
    }

    var ran = Ran.corfu("tail", "--servers", "127.0.0.1:" + port);

    assertThat(ran.status()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(ran.err())
        .contains("127.0.0.1:" + port, "connection refused")
        .doesNotContain("failed with error");
    assertThat(ran.err().lines()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void stackTracesAreShownToThoseWhoAsk() {
    assertThat(Ran.corfu("append", "--dir", "d").err()).doesNotContain("\tat ");
    assertThat(Ran.corfu("append", "--dir", "d", "--verbose").err()).contains("\tat corfu.");
  }

  @Test
  void aConfigurationThatIsWrongNamesTheFile() throws IOException {
    Path config = Files.writeString(directory.resolve("corfu.toml"), "replikas = 2\n");

    var ran = Ran.corfu("server", "--config", config.toString());

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains(config.toString(), "replikas");
  }

  @Test
  void aClusterNeedsAsManyNodesAsReplicas() {
    var ran =
        Ran.corfu("cluster", "start", "--dir", directory + "/c", "--nodes", "2", "--replicas", "3");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(directory.resolve("c")).doesNotExist();
  }

  @Test
  void sparesDoNotCountAsNodesForReplicas() {
    var ran =
        Ran.corfu(
            ("cluster start --nodes 3 --spares 2 --replicas 2 --dir " + directory + "/c")
                .split(" "));

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("3 nodes, 2 of them spares, and 2 replicas");
    assertThat(directory.resolve("c")).doesNotExist();
  }
}
