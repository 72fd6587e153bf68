package corfu.cli.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.cli.shell.Kinds;
import corfu.cli.shell.Shell;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedMap;
import corfu.runtime.Corfu;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell by its standard input, and commands about objects; the servers are in this JVM. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShellTest {

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
  void objectsAreOpenedChangedAndRead() {
    Ran ran =
        cluster.shell(
            "open map accounts",
            "# a comment, and an empty line",
            "",
            "accounts.put alice 5",
            "accounts.put(\"bob the second\", 7)   # as in a program",
            "accounts.get alice",
            "accounts.put alice 6",
            "accounts.size",
            "accounts",
            "accounts.get carol");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.status()).isZero();
    assertThat(ran.lines().subList(0, 5)).containsExactly("null", "null", "5", "5", "2");
    assertThat(ran.lines().get(5)).contains("\"alice\": 6", "\"bob the second\": 7");
    assertThat(ran.lines().get(6)).isEqualTo("null");
  }

  @Test
  void allCollectionsAreThere() {
    Ran ran =
        cluster.shell(
            "open list all.list as l",
            "l.addAll [one, 2, 2.5, true]",
            "l.get 1",
            "l.remove 0",
            "l",
            "open queue all.queue as q",
            "q.add a",
            "q.poll",
            "open stack all.stack as s",
            "s.push a",
            "open set all.set as t",
            "t.add a",
            "t.contains a",
            "open register all.register as r",
            "r.set {a: [1, 2]}",
            "r.get",
            "open rangemap all.ranges as m",
            "m.put b 2",
            "m.put a 1",
            "m.firstKey",
            "m",
            "open counter all.counter as c",
            "c.add 5",
            "c.addAndGet 2",
            "c");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines())
        .containsSubsequence(
            "2",
            "one",
            "[2, 2.5, true]",
            "a",
            "{\"a\": [1, 2]}",
            "a",
            "{\"a\": 1, \"b\": 2}",
            "7",
            "7");
  }

  @Test
  void aTransactionHappensAllAtOnceOrNotAtAll() {
    Ran committed =
        cluster.shell(
            "open map tx",
            "begin",
            "tx.fastPut a 1",
            "tx.get a",
            "tx.fastPut b 2",
            "commit",
            "tx.size");
    assertThat(committed.err()).isEmpty();
    assertThat(committed.lines()).containsExactly("1", "2");

    Ran aborted = cluster.shell("open map tx", "begin", "tx.fastPut c 3", "abort", "tx.size");
    assertThat(aborted.lines()).containsExactly("2");

    Ran unfinished = cluster.shell("open map tx", "begin", "tx.fastPut c 3");
    assertThat(unfinished.status()).isEqualTo(ExitCode.FAILED);
    assertThat(unfinished.err()).contains("nothing of it has happened");

    Ran failed = cluster.shell("open map tx", "begin", "tx.fastPut c 3", "tx.nonsense");
    assertThat(failed.status()).isEqualTo(ExitCode.FAILED);
    assertThat(cluster.shell("tx.size").lines()).containsExactly("2");
  }

  @Test
  void aTransactionThatLosesSaysToWhom() throws Exception {
    try (Corfu corfu = cluster.connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(ShellTest.class.getClassLoader()))) {
      execute(shell, "open map race");
      execute(shell, "begin");
      execute(shell, "race.get a");
      cluster.shell("open map race", "race.put a 1");
      execute(shell, "race.put a 2");

      assertThatThrownBy(() -> execute(shell, "commit")).hasMessageContaining("race");
      assertThat(shell.isInTransaction()).isFalse();
      assertThat(execute(shell, "race.get a")).containsExactly("1");
    }
  }

  private static List<String> execute(Shell shell, String line) {
    try {
      return shell.execute(line).lines();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void badInputIsExplainedAndEndsAScript() {
    assertThat(cluster.shell("open heap x").err())
        .startsWith("corfu: line 1: open heap x: there is no type heap: name a collection (map, ");
    assertThat(cluster.shell("nobody").err()).contains("nobody is no command, and no object");
    assertThat(cluster.shell("nobody.size").err()).contains("Open it: open KIND nobody");
    assertThat(cluster.shell("open map bad", "bad.swim").err())
        .contains("line 2: bad.swim: a map has no method swim; it has clear,");
    assertThat(cluster.shell("open map bad", "bad.get").err()).contains("there is [get(Object)]");
    assertThat(cluster.shell("open list bad2", "bad2.get one").err()).contains("get(int)");
    assertThat(cluster.shell("open list bad2", "bad2.get 5").err()).contains("IndexOutOfBounds");
    assertThat(cluster.shell("open map bad", "bad.put \"a").err())
        .contains("is opened and not closed");
    assertThat(cluster.shell("open map bad", "bad.put a [1, 2").err())
        .contains("missing at the end");
    assertThat(cluster.shell("open map bad", "bad.put a {1 2}").err()).contains("a : is expected");
    assertThat(cluster.shell("open map bad", "bad.put a null").err()).contains("takes no null");
    assertThat(cluster.shell("open map bad", "bad.put a 99999999999999999999").err())
        .contains("64 bits");
    assertThat(cluster.shell("open map").err()).contains("the line ends where a value is expected");
    assertThat(cluster.shell("open map begin").err()).contains("give it another name");
    assertThat(cluster.shell("commit").err()).contains("there is no transaction");
    assertThat(cluster.shell("begin", "begin").err()).contains("begun already");
    assertThat(cluster.shell("begin twice").err()).contains("begin snapshot");
    assertThat(cluster.shell("at nine").err()).contains("an address is a number");
    assertThat(cluster.shell("at 999999999").err()).contains("the log ends at");
    assertThat(cluster.shell("tail tail").err()).contains("does not know what to do with: tail");
    assertThat(cluster.shell("history nobody").err()).contains("nobody has changed");

    Ran stopped = cluster.shell("open map bad", "bad.swim", "tail");
    assertThat(stopped.status()).isEqualTo(ExitCode.FAILED);
    assertThat(stopped.out()).isEmpty();
  }

  @Test
  void helpTellsWhatThereIs() {
    assertThat(cluster.shell("help").out())
        .contains("open KIND NAME", "Kinds: map, rangemap, list");
    assertThat(cluster.shell("help commit").out()).contains("commits the transaction");
    assertThat(cluster.shell("help map").lines())
        .anySatisfy(line -> assertThat(line).matches("put\\(Object,Object\\) +changes, and .*"));
  }

  @Test
  void answersAreJsonWhereThatIsAskedFor() {
    Ran ran =
        cluster.corfu(
            "open map json\njson.put a 1\njson.put b [1, x]\njson\njson.get a\n",
            "shell",
            "--json");

    assertThat(ran.lines())
        .contains(
            "{\"line\":\"json.put a 1\",\"value\":null}", "{\"line\":\"json.get a\",\"value\":1}");
    assertThat(ran.out()).contains("\"b\":[1,\"x\"]");
  }

  @Test
  void objectsAreListedShownAndSaved() {
    cluster.shell("open map listed", "listed.put a 1", "open counter counted", "counted.increment");

    assertThat(cluster.corfu("", "object", "list").lines())
        .contains("listed\tReplicatedMap", "counted\tReplicatedCounter");
    assertThat(cluster.shell("objects").lines()).contains("listed\tReplicatedMap");
    assertThat(cluster.corfu("", "object", "list", "--json").out())
        .contains("{\"object\":\"counted\",\"id\":\"", "\"types\":[\"ReplicatedCounter\"]}");
    assertThat(cluster.corfu("", "object", "show", "listed").lines()).containsExactly("{\"a\": 1}");
    assertThat(cluster.corfu("", "object", "show", "listed", "--json").lines())
        .containsExactly("{\"object\":\"listed\",\"value\":{\"a\":1}}");
    assertThat(cluster.corfu("", "object", "show", "counted").lines()).containsExactly("1");

    Ran saved = cluster.corfu("", "object", "checkpoint", "listed");
    assertThat(saved.err()).isEmpty();
    assertThat(Long.parseLong(saved.out().strip())).isPositive();
    assertThat(cluster.shell("checkpoint listed").status()).isZero();
    assertThat(cluster.shell("listed").lines()).containsExactly("{\"a\": 1}");

    Ran unknown = cluster.corfu("", "object", "show", "nowhere");
    assertThat(unknown.status()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("nobody has changed an object nowhere yet", "--as KIND");
    assertThat(cluster.corfu("", "object", "show", "nowhere", "--as", "map").lines())
        .containsExactly("{}");
    assertThat(cluster.corfu("", "object", "history", "nowhere").status())
        .isEqualTo(ExitCode.FAILED);
  }

  /** A class of the application's, as it would be in a jar of --class-path. */
  public static class Thermostat {
    private double wanted = 20;
    private Mode mode = Mode.OFF;

    /** Its operation. */
    public enum Mode {
      OFF,
      HEAT
    }

    @MutatorAccessor
    public double set(double degrees, Mode as) {
      if (degrees > 30) {
        throw new IllegalArgumentException("too warm");
      }
      wanted = degrees;
      mode = as;
      return wanted;
    }

    @Accessor
    @Override
    public String toString() {
      return mode + " " + wanted;
    }
  }

  @Test
  void classesOfTheApplicationCanBeUsedToo() {
    Ran ran =
        cluster.shell(
            "open '" + Thermostat.class.getName() + "' hall",
            "hall.set 21 heat",
            "hall",
            "hall.set 31 heat");

    assertThat(ran.lines()).containsExactly("21.0", "HEAT 21.0");
    assertThat(ran.err()).contains("IllegalArgumentException: too warm");
    assertThat(cluster.shell("hall").err())
        .contains("hall has been changed as Thermostat. Open it");
    assertThat(
            cluster.corfu("", "object", "show", "hall", "--as", Thermostat.class.getName()).lines())
        .containsExactly("HEAT 21.0");
  }

  @Test
  void whatAnApplicationWroteIsFoundByItsName() {
    try (Corfu corfu = cluster.connect()) {
      ReplicatedObjects.over(corfu)
          .open("from.elsewhere", ReplicatedMap.of(String.class, Long.class))
          .fastPut("a", 5L);
    }

    assertThat(cluster.shell("open map from.elsewhere as e", "e.get a", "e.put a 6L").lines())
        .containsExactly("5", "5");
    assertThat(cluster.corfu("", "object", "show", "from.elsewhere").lines())
        .containsExactly("{\"a\": 6}");
  }
}
