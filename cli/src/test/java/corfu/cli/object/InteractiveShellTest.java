package corfu.cli.object;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.command.ExitCode;
import corfu.cli.shell.Kinds;
import corfu.cli.shell.Shell;
import corfu.objects.ReplicatedObjects;
import corfu.runtime.Corfu;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.UserInterruptException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell with a person: prompts, mistakes, completion. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteractiveShellTest {

  private ShellCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = new ShellCluster(directory);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void aPersonIsToldWhatIsWrongAndGoesOn() {
    Iterator<String> typed =
        List.of("open map talk", "talk.swim", "INTERRUPT", "talk.put a 1", "begin", "talk.put a 2")
            .iterator();
    List<String> prompts = new ArrayList<>();
    var screen = new StringWriter();
    try (Corfu corfu = cluster.connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(InteractiveShellTest.class.getClassLoader()))) {
      int status =
          new InteractiveShell(shell)
              .run(
                  prompt -> {
                    prompts.add(prompt);
                    if (!typed.hasNext()) {
                      throw new EndOfFileException();
                    }
                    String line = typed.next();
                    if (line.equals("INTERRUPT")) {
                      throw new UserInterruptException("talk.pu");
                    }
                    return line;
                  },
                  new PrintWriter(screen));

      assertThat(status).isEqualTo(ExitCode.OK);
    }
    assertThat(screen.toString())
        .contains(
            "a map has no method swim",
            "null", // what was there before
            "the transaction was not ended, so nothing of it has happened");
    assertThat(prompts).startsWith("corfu> ").endsWith("corfu (transaction)> ");
    assertThat(cluster.shell("talk").lines()).containsExactly("{\"a\": 1}");
  }

  @Test
  void whatMayStandSomewhereIsOffered() throws Throwable {
    try (Corfu corfu = cluster.connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(getClass().getClassLoader()))) {
      shell.execute("open map offered");
      shell.execute("offered.put a 1");

      assertThat(shell.completions(List.of(), "")).contains("open", "commit", "offered.");
      assertThat(shell.completions(List.of(), "offered.p"))
          .contains("offered.put", "offered.putIfAbsent")
          .doesNotContain("offered.compute"); // it takes code
      assertThat(shell.completions(List.of("open"), "")).contains("map", "counter");
      assertThat(shell.completions(List.of("history"), "")).contains("offered");
      assertThat(shell.completions(List.of("rollback", "1", "a", "b"), "")).contains("offered");
    }
  }
}
