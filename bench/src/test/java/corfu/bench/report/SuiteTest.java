package corfu.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.local.JavaCommand;
import corfu.world.RealWorld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {

  private static final SuiteStep WORKS = new SuiteStep("works", List.of("prints"), true);
  private static final SuiteStep FAILS = new SuiteStep("fails", List.of("fails"), false);

  @TempDir private Path figures;
  private final List<String> news = new ArrayList<>();

  /** Replaces the command. */
  public static final class Command {
    private Command() {}

    /** Prints its arguments, or fails. */
    public static void main(String[] arguments) throws Exception {
      if (arguments[1].equals("fails")) {
        System.err.println("no disk");
        System.exit(3);
      }
      System.out.println("{\"benchmark\":\"" + String.join(" ", arguments).split(" /")[0] + "\"}");
      Files.writeString(Path.of(arguments[arguments.length - 1]), "<svg/>");
    }
  }

  private List<Suite.Missing> run(List<SuiteStep> steps, Duration limit) throws Exception {
    try (var world = new RealWorld()) {
      var java = JavaCommand.likeThisProcess(Command.class.getName());
      return new Suite(world, java, figures, news::add).run(steps, limit);
    }
  }

  @Test
  void resultsAndPicturesAreKeptAndAFailureIsReported() throws Exception {
    Files.writeString(figures.resolve("fails.json"), "of yesterday");

    var missing = run(List.of(WORKS, FAILS), Duration.ofMinutes(5));

    assertThat(missing).containsExactly(new Suite.Missing(FAILS, "status 3: no disk"));
    assertThat(figures.resolve("works.json"))
        .hasContent(
            """
            {"benchmark":"command","command":"corfu bench prints"}
            {"benchmark":"bench prints --json --plot"}
            """);
    assertThat(figures.resolve("works.svg")).hasContent("<svg/>");
    assertThat(figures.resolve("fails.json")).hasContent("of yesterday");
    assertThat(Files.list(figures).map(file -> file.getFileName().toString()))
        .containsExactlyInAnyOrder("works.json", "works.svg", "fails.json", "machine.json");
    assertThat(news)
        .map(line -> line.replaceAll("[0-9]+", "N"))
        .containsExactly("corfu bench prints ...", "  N s", "corfu bench fails ...", "  N s");
  }

  @Test
  void aStepWithoutTimeIsReported() throws Exception {
    assertThat(run(List.of(WORKS), Duration.ZERO))
        .containsExactly(new Suite.Missing(WORKS, "the time was over"));
  }
}
