package corfu.cli.object;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The past of objects: shown, rolled back, forgotten. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShellHistoryTest {

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
  void thePastIsReadAndNotChanged() {
    cluster.shell("open map past", "past.put a 1");
    String then = cluster.shell("tail").lines().getFirst();
    cluster.shell("past.put a 2");

    Ran ran = cluster.shell("past.get a", "at " + then, "past.get a", "past", "now", "past.get a");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).containsExactly("2", "1", "{\"a\": 1}", "2");

    Ran changed = cluster.shell("at " + then, "past.put a 3");
    assertThat(changed.status()).isEqualTo(ExitCode.FAILED);
    assertThat(changed.err()).contains("line 2: past.put a 3:", "how it was at address " + then);

    Ran shown = cluster.corfu("", "object", "show", "past", "--at", then);
    assertThat(shown.lines()).containsExactly("{\"a\": 1}");
  }

  @Test
  void objectsAreRolledBackTogetherToAnAddress() {
    cluster.shell("open map back", "back.put a 1", "open counter also", "also.add 5");
    String then = cluster.shell("tail").lines().getFirst();
    cluster.shell("back.put a 2", "back.put b 3", "also.increment");

    Ran ran = cluster.shell("rollback " + then + " back also", "back", "also");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).containsExactly("{\"a\": 1}", "5");

    cluster.shell("back.put a 4");
    Ran given =
        cluster.shell("begin", "rollback " + then + " back", "back.get a", "abort", "back.get a");
    assertThat(given.err()).isEmpty();
    assertThat(given.lines()).containsExactly("1", "4");
  }

  @Test
  void historyIsForgottenAsFarAsACheckpointAllows() {
    cluster.shell("open map gone", "gone.put a 1");
    String before = cluster.shell("tail").lines().getFirst();
    Ran none = cluster.shell("forget gone " + before);
    assertThat(none.status()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err()).contains("nothing is forgotten", "to write one of now: checkpoint gone");

    cluster.shell("gone.put a 2", "checkpoint gone");
    String tail = cluster.shell("gone.put b 3", "tail").lines().getLast();
    Ran forgotten = cluster.shell("forget gone " + tail, "gone.size");

    assertThat(forgotten.err()).isEmpty();
    assertThat(Long.parseLong(forgotten.lines().getFirst()))
        .isBetween(Long.parseLong(before), Long.parseLong(tail));
    assertThat(forgotten.lines().getLast()).isEqualTo("2");
    assertThat(cluster.shell("history gone").lines().getFirst()).contains("forgotten");
    assertThat(cluster.shell("at " + before, "gone").err()).contains("line 2: gone:", "forgotten");
    assertThat(cluster.shell("rollback " + before + " gone").err()).contains("forgotten");
    assertThat(cluster.shell("gone.size").lines()).containsExactly("2");
  }

  @Test
  void whatCanNotBeForgottenOrRolledBackIsExplained() {
    cluster.shell("open map firm", "firm.put a 1", "checkpoint firm");

    assertThat(cluster.shell("forget").err()).contains("the line ends where a value is expected");
    assertThat(cluster.shell("forget firm").err()).contains("as in: forget firm 17");
    assertThat(cluster.shell("forget firm all").err())
        .contains("is a number, as in: forget firm 17");
    assertThat(cluster.shell("forget firm 999999999").err()).contains("the log ends at");
    assertThat(cluster.shell("forget nobody 0").err()).contains("Open it: open KIND nobody");
    assertThat(cluster.shell("begin", "forget firm 0").err()).contains("end the transaction first");
    assertThat(cluster.shell("at 0", "forget firm 0").err()).contains("line 2", "in the past: now");
    assertThat(cluster.shell("rollback").err()).contains("as in: rollback 17 accounts");
    assertThat(cluster.shell("rollback 0").err()).contains("as in: rollback 0 accounts");
    assertThat(cluster.shell("rollback firm 0").err())
        .contains("an address is a number, as in: rollback 17 accounts");
    assertThat(cluster.shell("rollback 999999999 firm").err()).contains("the log ends at");
    assertThat(cluster.shell("at 0", "rollback 0 firm").err())
        .contains("line 2", "in the past: now");
    assertThat(cluster.shell("begin read-only", "rollback 0 firm").err()).contains("read-only");
    assertThat(cluster.shell("rollback 0 firm nobody").err()).contains("Open it: open KIND nobody");
    assertThat(cluster.shell("firm.get a").lines()).containsExactly("1");
    assertThat(cluster.shell("help").out())
        .contains("forget NAME ADDRESS", "rollback ADDRESS NAME ...");
  }

  @Test
  void historySaysWhoChangedWhat() {
    cluster.shell("open map told", "told.put a 1");
    cluster.shell(
        "open counter beside",
        "begin",
        "told.fastPut b \"two words\"",
        "beside.increment",
        "commit");

    Ran ran = cluster.shell("history told");
    assertThat(ran.lines()).hasSize(2);
    String[] first = ran.lines().getFirst().split("\t");
    String[] second = ran.lines().getLast().split("\t");
    assertThat(first).hasSize(4);
    assertThat(first[1]).startsWith("20").endsWith("Z");
    assertThat(first[2]).matches("[0-9a-f]{16}").isNotEqualTo(second[2]);
    assertThat(first[3]).isEqualTo("put(\"a\", 1)");
    assertThat(second[3]).isEqualTo("fastPut(\"b\", \"two words\")");
    assertThat(second[4]).isEqualTo("(with 1 other object)");

    assertThat(cluster.corfu("", "object", "history", "told").out()).isEqualTo(ran.out());
    assertThat(cluster.corfu("", "object", "history", "told", "--limit", "1", "--json").out())
        .contains(
            "\"address\":" + first[0],
            "\"calls\":[{\"operation\":\"put(Object,Object)\",\"arguments\":"
                + "[\"\\\"a\\\"\",\"1\"]}]");
  }
}
