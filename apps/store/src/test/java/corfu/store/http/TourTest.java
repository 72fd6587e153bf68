package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.runtime.Corfu;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tour of docs/store.md: every curl command that is printed there answers what is printed. */
class TourTest {

  private static final String BEGIN = "<!-- tour: begin -->\n```\n";
  private static final String PRINTED = "127.0.0.1:9100";

  private record Step(String command, String answer) {}

  @Test
  void theTourRunsAsPrinted() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .nodes(3)
                .replicas(2)
                .supervision(Supervision.DEFAULT.withAgent(false))
                .start();
        Corfu corfu = cluster.connect();
        KeyValueStore store = KeyValueStore.open(corfu, "store", StoreOptions.DEFAULT);
        StoreServer server =
            StoreServer.start(store, cluster.world(), StoreServerOptions.onPort(0))) {
      String there = "127.0.0.1:" + server.address().getPort();
      List<Step> steps = steps();
      assertThat(steps).hasSizeGreaterThan(10);
      for (Step step : steps) {
        String answer = run(step.command().replace(PRINTED, there));
        assertThat(answer).as(step.command()).isEqualTo(step.answer());
      }
    }
  }

  /** Lines that begin with a dollar sign are commands; what follows one is its answer. */
  private static List<Step> steps() throws IOException {
    String page = Files.readString(page());
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    String tour = page.substring(begin, page.indexOf("```", begin));
    List<Step> steps = new ArrayList<>();
    for (String part : tour.split("(?m)^\\$ ")) {
      if (!part.isBlank()) {
        int end = part.indexOf('\n');
        while (part.charAt(end - 1) == '\\') {
          end = part.indexOf('\n', end + 1);
        }
        steps.add(new Step(part.substring(0, end), part.substring(end + 1).strip()));
      }
    }
    return steps;
  }

  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/store.md"))) {
      directory = directory.getParent();
    }
    return directory.resolve("docs/store.md");
  }

  private static String run(String command) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
    shell.waitFor();
    return output.strip();
  }
}
