package corfu.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Main;
import corfu.cli.Ran;
import corfu.cli.StatusWait;
import corfu.cli.command.ExitCode;
import corfu.node.local.FreePorts;
import corfu.node.local.JavaCommand;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster of docs/deploy.md, by its own file and commands. Its addresses are those of this
 * machine, 127.0.0.2 to 127.0.0.5, and each server has a directory of its own; nothing else is
 * changed.
 */
@Timeout(300)
class SeveralMachinesTest {

  private static final String SECTION = "\n## One file for all servers\n";
  private static final Pattern ADDRESS = Pattern.compile("10\\.0\\.0\\.(\\d):9000");
  private static final String DIRECTORY = "\"/var/lib/corfu\"";

  @TempDir Path home;
  private int port;
  private String commands = "";
  private final Map<String, Process> servers = new LinkedHashMap<>();

  @BeforeEach
  void writeTheFileOfThePage() throws IOException {
    try (var world = new RealWorld()) {
      port = FreePorts.consecutive(1, world.random());
    }
    String page = Files.readString(Path.of("../docs/deploy.md"));
    String section = page.substring(page.indexOf(SECTION) + SECTION.length());
    String toml = onThisMachine(block(section, "```toml\n"));
    for (int i = 1; toml.contains(DIRECTORY); i++) {
      toml = toml.replaceFirst(Pattern.quote(DIRECTORY), "\"data-" + i + "\"");
    }
    Files.writeString(home.resolve("corfu.toml"), toml);
    commands = onThisMachine(block(section, "\n```\ncorfu "));
  }

  /** The lines between the beginning of a block and its end. */
  private static String block(String section, String begin) {
    int start = section.indexOf(begin);
    assertThat(start).isPositive();
    int first = start + begin.length() - (begin.endsWith("corfu ") ? "corfu ".length() : 0);
    return section.substring(first, section.indexOf("```", first));
  }

  private String onThisMachine(String text) {
    Matcher addresses = ADDRESS.matcher(text);
    return addresses.replaceAll(
        found -> "127.0.0." + (Integer.parseInt(found.group(1)) + 1) + ":" + port);
  }

  @AfterEach
  void stop() {
    servers.values().forEach(Process::destroyForcibly);
    servers.values().forEach(server -> server.onExit().join());
  }

  @Test
  void itServesAsPrintedAndSurvivesItsSequencersServer() throws IOException {
    List.of("a", "b", "c", "d").forEach(this::startServer);
    assertThat(finished(start(printed("corfu layout bootstrap")))).contains("\"sequencers\"");
    Ran healthy = awaitStatus(ExitCode.OK, "1 of 1 spares can be used");
    assertThat(healthy.lines().getFirst()).isEqualTo("healthy");
    append("before\n");

    servers.get("a").destroyForcibly().onExit().join(); // kill -9

    append("after\n");
    Ran degraded = awaitStatus(ExitCode.DEGRADED, "3 of 3 log units take appends; 2 of 2 copies");
    assertThat(degraded.out()).contains("does not answer");
    assertThat(corfu("read", "--all").out()).isEqualTo("before\nafter\n");
    assertThat(corfu("tail").status()).isEqualTo(ExitCode.OK);
  }

  /** Returns the words of the page's command that begins so. */
  private List<String> printed(String begin) {
    String line = commands.lines().filter(one -> one.startsWith(begin)).findFirst().orElseThrow();
    return List.of(line.replaceFirst("\\s+#.*", "").split(" "));
  }

  private void startServer(String name) {
    List<String> command =
        printed("corfu server").stream().map(word -> word.equals("a") ? name : word).toList();
    servers.put(name, start(command));
  }

  /** In the directory in which the file is. */
  private Process start(List<String> command) {
    var java = JavaCommand.likeThisProcess(Main.class.getName());
    List<String> words = command.subList(1, command.size());
    try {
      return java.with(words.toArray(String[]::new))
          .directory(home.toFile())
          .redirectErrorStream(true)
          .redirectOutput(Files.createTempFile(home, words.getFirst(), ".log").toFile())
          .start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String finished(Process process) throws IOException {
    process.onExit().join();
    StringBuilder said = new StringBuilder();
    try (var logs = Files.newDirectoryStream(home, "layout*.log")) {
      for (Path log : logs) {
        said.append(Files.readString(log, UTF_8));
      }
    }
    assertThat(process.exitValue()).as(said.toString()).isZero();
    return said.toString();
  }

  private void append(String line) {
    var ran = Ran.corfuWith(line, words("append", "--timeout", "60s"));
    assertThat(ran.status()).as(ran.err()).isZero();
  }

  private Ran corfu(String... arguments) {
    return Ran.corfu(words(arguments));
  }

  private String[] words(String... arguments) {
    List<String> status = printed("corfu status");
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(status.subList(2, status.size()));
    return all.toArray(String[]::new);
  }

  private Ran awaitStatus(int code, String text) {
    return StatusWait.until(code, text, () -> corfu("status"));
  }
}
