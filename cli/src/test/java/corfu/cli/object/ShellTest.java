package corfu.cli.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.cli.shell.Kinds;
import corfu.cli.shell.Shell;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.LocalCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedMap;
import corfu.roles.logunit.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
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

/** The shell by its standard input, and commands about objects; the servers are in this JVM. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShellTest {

  private final List<Node> nodes = new ArrayList<>();
  private ClusterConfig config;
  private Path directory;

  @BeforeAll
  void start(@TempDir Path of) {
    directory = of;
    try (var world = new RealWorld()) {
      config = LocalCluster.at(directory, world).create(1, 1, UnitMode.MEMORY);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterAll
  void stop() {
    nodes.forEach(Node::close);
  }

  private Ran corfu(String input, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  private Ran shell(String... lines) {
    return corfu(String.join("\n", lines) + "\n", "shell");
  }

  @Test
  void objectsAreOpenedChangedAndRead() {
    Ran ran =
        shell(
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
        shell(
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
        shell(
            "open map tx",
            "begin",
            "tx.fastPut a 1",
            "tx.get a",
            "tx.fastPut b 2",
            "commit",
            "tx.size");
    assertThat(committed.err()).isEmpty();
    assertThat(committed.lines()).containsExactly("1", "2");

    Ran aborted = shell("open map tx", "begin", "tx.fastPut c 3", "abort", "tx.size");
    assertThat(aborted.lines()).containsExactly("2");

    Ran unfinished = shell("open map tx", "begin", "tx.fastPut c 3");
    assertThat(unfinished.status()).isEqualTo(ExitCode.FAILED);
    assertThat(unfinished.err()).contains("nothing of it has happened");

    Ran failed = shell("open map tx", "begin", "tx.fastPut c 3", "tx.nonsense");
    assertThat(failed.status()).isEqualTo(ExitCode.FAILED);
    assertThat(shell("tx.size").lines()).containsExactly("2");
  }

  @Test
  void aTransactionThatLosesSaysToWhom() throws Exception {
    try (Corfu corfu = connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(ShellTest.class.getClassLoader()))) {
      execute(shell, "open map race");
      execute(shell, "begin");
      execute(shell, "race.get a");
      shell("open map race", "race.put a 1");
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
  void thePastIsReadAndNotChanged() {
    shell("open map past", "past.put a 1");
    String then = shell("tail").lines().getFirst();
    shell("past.put a 2");

    Ran ran = shell("past.get a", "at " + then, "past.get a", "past", "now", "past.get a");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).containsExactly("2", "1", "{\"a\": 1}", "2");

    Ran changed = shell("at " + then, "past.put a 3");
    assertThat(changed.status()).isEqualTo(ExitCode.FAILED);
    assertThat(changed.err()).contains("line 2: past.put a 3:", "how it was at address " + then);

    Ran shown = corfu("", "object", "show", "past", "--at", then);
    assertThat(shown.lines()).containsExactly("{\"a\": 1}");
  }

  @Test
  void objectsAreRolledBackTogetherToAnAddress() {
    shell("open map back", "back.put a 1", "open counter also", "also.add 5");
    String then = shell("tail").lines().getFirst();
    shell("back.put a 2", "back.put b 3", "also.increment");

    Ran ran = shell("rollback " + then + " back also", "back", "also");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).containsExactly("{\"a\": 1}", "5");

    shell("back.put a 4");
    Ran given = shell("begin", "rollback " + then + " back", "back.get a", "abort", "back.get a");
    assertThat(given.err()).isEmpty();
    assertThat(given.lines()).containsExactly("1", "4");
  }

  @Test
  void historyIsForgottenAsFarAsACheckpointAllows() {
    shell("open map gone", "gone.put a 1");
    String before = shell("tail").lines().getFirst();
    Ran none = shell("forget gone " + before);
    assertThat(none.status()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err()).contains("nothing is forgotten", "to write one of now: checkpoint gone");

    shell("gone.put a 2", "checkpoint gone");
    String tail = shell("gone.put b 3", "tail").lines().getLast();
    Ran forgotten = shell("forget gone " + tail, "gone.size");

    assertThat(forgotten.err()).isEmpty();
    assertThat(Long.parseLong(forgotten.lines().getFirst()))
        .isBetween(Long.parseLong(before), Long.parseLong(tail));
    assertThat(forgotten.lines().getLast()).isEqualTo("2");
    assertThat(shell("history gone").lines().getFirst()).contains("forgotten");
    assertThat(shell("at " + before, "gone").err()).contains("line 2: gone:", "forgotten");
    assertThat(shell("rollback " + before + " gone").err()).contains("forgotten");
    assertThat(shell("gone.size").lines()).containsExactly("2");
  }

  @Test
  void whatCanNotBeForgottenOrRolledBackIsExplained() {
    shell("open map firm", "firm.put a 1", "checkpoint firm");

    assertThat(shell("forget").err()).contains("the line ends where a value is expected");
    assertThat(shell("forget firm").err()).contains("as in: forget firm 17");
    assertThat(shell("forget firm all").err()).contains("is a number, as in: forget firm 17");
    assertThat(shell("forget firm 999999999").err()).contains("the log ends at");
    assertThat(shell("forget nobody 0").err()).contains("Open it: open KIND nobody");
    assertThat(shell("begin", "forget firm 0").err()).contains("end the transaction first");
    assertThat(shell("at 0", "forget firm 0").err()).contains("line 2", "in the past: now");
    assertThat(shell("rollback").err()).contains("as in: rollback 17 accounts");
    assertThat(shell("rollback 0").err()).contains("as in: rollback 0 accounts");
    assertThat(shell("rollback firm 0").err())
        .contains("an address is a number, as in: rollback 17 accounts");
    assertThat(shell("rollback 999999999 firm").err()).contains("the log ends at");
    assertThat(shell("at 0", "rollback 0 firm").err()).contains("line 2", "in the past: now");
    assertThat(shell("begin read-only", "rollback 0 firm").err()).contains("read-only");
    assertThat(shell("rollback 0 firm nobody").err()).contains("Open it: open KIND nobody");
    assertThat(shell("firm.get a").lines()).containsExactly("1");
    assertThat(shell("help").out()).contains("forget NAME ADDRESS", "rollback ADDRESS NAME ...");
  }

  @Test
  void historySaysWhoChangedWhat() {
    shell("open map told", "told.put a 1");
    shell(
        "open counter beside",
        "begin",
        "told.fastPut b \"two words\"",
        "beside.increment",
        "commit");

    Ran ran = shell("history told");
    assertThat(ran.lines()).hasSize(2);
    String[] first = ran.lines().getFirst().split("\t");
    String[] second = ran.lines().getLast().split("\t");
    assertThat(first).hasSize(4);
    assertThat(first[1]).startsWith("20").endsWith("Z");
    assertThat(first[2]).matches("[0-9a-f]{16}").isNotEqualTo(second[2]);
    assertThat(first[3]).isEqualTo("put(\"a\", 1)");
    assertThat(second[3]).isEqualTo("fastPut(\"b\", \"two words\")");
    assertThat(second[4]).isEqualTo("(with 1 other object)");

    assertThat(corfu("", "object", "history", "told").out()).isEqualTo(ran.out());
    assertThat(corfu("", "object", "history", "told", "--limit", "1", "--json").out())
        .contains(
            "\"address\":" + first[0],
            "\"calls\":[{\"operation\":\"put(Object,Object)\",\"arguments\":"
                + "[\"\\\"a\\\"\",\"1\"]}]");
  }

  @Test
  void badInputIsExplainedAndEndsAScript() {
    assertThat(shell("open heap x").err())
        .startsWith("corfu: line 1: open heap x: there is no type heap: name a collection (map, ");
    assertThat(shell("nobody").err()).contains("nobody is no command, and no object");
    assertThat(shell("nobody.size").err()).contains("Open it: open KIND nobody");
    assertThat(shell("open map bad", "bad.swim").err())
        .contains("line 2: bad.swim: a map has no method swim; it has clear,");
    assertThat(shell("open map bad", "bad.get").err()).contains("there is [get(Object)]");
    assertThat(shell("open list bad2", "bad2.get one").err()).contains("get(int)");
    assertThat(shell("open list bad2", "bad2.get 5").err()).contains("IndexOutOfBounds");
    assertThat(shell("open map bad", "bad.put \"a").err()).contains("is opened and not closed");
    assertThat(shell("open map bad", "bad.put a [1, 2").err()).contains("missing at the end");
    assertThat(shell("open map bad", "bad.put a {1 2}").err()).contains("a : is expected");
    assertThat(shell("open map bad", "bad.put a null").err()).contains("takes no null");
    assertThat(shell("open map bad", "bad.put a 99999999999999999999").err()).contains("64 bits");
    assertThat(shell("open map").err()).contains("the line ends where a value is expected");
    assertThat(shell("open map begin").err()).contains("give it another name");
    assertThat(shell("commit").err()).contains("there is no transaction");
    assertThat(shell("begin", "begin").err()).contains("begun already");
    assertThat(shell("begin twice").err()).contains("begin snapshot");
    assertThat(shell("at nine").err()).contains("an address is a number");
    assertThat(shell("at 999999999").err()).contains("the log ends at");
    assertThat(shell("tail tail").err()).contains("does not know what to do with: tail");
    assertThat(shell("history nobody").err()).contains("nobody has changed");

    Ran stopped = shell("open map bad", "bad.swim", "tail");
    assertThat(stopped.status()).isEqualTo(ExitCode.FAILED);
    assertThat(stopped.out()).isEmpty();
  }

  @Test
  void helpTellsWhatThereIs() {
    assertThat(shell("help").out()).contains("open KIND NAME", "Kinds: map, rangemap, list");
    assertThat(shell("help commit").out()).contains("ends it");
    assertThat(shell("help map").lines())
        .anySatisfy(line -> assertThat(line).matches("put\\(Object,Object\\) +changes, and .*"));
  }

  @Test
  void answersAreJsonWhereThatIsAskedFor() {
    Ran ran =
        corfu(
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
    shell("open map listed", "listed.put a 1", "open counter counted", "counted.increment");

    assertThat(corfu("", "object", "list").lines())
        .contains("listed\tReplicatedMap", "counted\tReplicatedCounter");
    assertThat(shell("objects").lines()).contains("listed\tReplicatedMap");
    assertThat(corfu("", "object", "list", "--json").out())
        .contains("{\"object\":\"counted\",\"id\":\"", "\"types\":[\"ReplicatedCounter\"]}");
    assertThat(corfu("", "object", "show", "listed").lines()).containsExactly("{\"a\": 1}");
    assertThat(corfu("", "object", "show", "listed", "--json").lines())
        .containsExactly("{\"object\":\"listed\",\"value\":{\"a\":1}}");
    assertThat(corfu("", "object", "show", "counted").lines()).containsExactly("1");

    Ran saved = corfu("", "object", "checkpoint", "listed");
    assertThat(saved.err()).isEmpty();
    assertThat(Long.parseLong(saved.out().strip())).isPositive();
    assertThat(shell("checkpoint listed").status()).isZero();
    assertThat(shell("listed").lines()).containsExactly("{\"a\": 1}");

    Ran unknown = corfu("", "object", "show", "nowhere");
    assertThat(unknown.status()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("nobody has changed an object nowhere yet", "--as KIND");
    assertThat(corfu("", "object", "show", "nowhere", "--as", "map").lines()).containsExactly("{}");
    assertThat(corfu("", "object", "history", "nowhere").status()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aPersonIsToldWhatIsWrongAndGoesOn() {
    Iterator<String> typed =
        List.of("open map talk", "talk.swim", "INTERRUPT", "talk.put a 1", "begin", "talk.put a 2")
            .iterator();
    List<String> prompts = new ArrayList<>();
    var screen = new StringWriter();
    try (Corfu corfu = connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(ShellTest.class.getClassLoader()))) {
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
    assertThat(shell("talk").lines()).containsExactly("{\"a\": 1}");
  }

  @Test
  void whatMayStandSomewhereIsOffered() {
    try (Corfu corfu = connect();
        var shell =
            new Shell(
                ReplicatedObjects.over(corfu),
                corfu.log(),
                new Kinds(getClass().getClassLoader()))) {
      execute(shell, "open map offered");
      execute(shell, "offered.put a 1");

      assertThat(shell.completions(List.of(), "")).contains("open", "commit", "offered.");
      assertThat(shell.completions(List.of(), "offered.p"))
          .contains("offered.put", "offered.putIfAbsent")
          .doesNotContain("offered.compute"); // it takes code
      assertThat(shell.completions(List.of("open"), "")).contains("map", "counter");
      assertThat(shell.completions(List.of("history"), "")).contains("offered");
      assertThat(shell.completions(List.of("rollback", "1", "a", "b"), "")).contains("offered");
    }
  }

  private Corfu connect() {
    return Corfu.connect(CorfuOptions.of(List.of(config.servers().getFirst().listen())));
  }

  /** A class of the application's, as it would be in a jar of --class-path. */
  public static class Thermostat {
    private double wanted = 20;
    private Mode mode = Mode.OFF;

    /** What it does. */
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
        shell(
            "open '" + Thermostat.class.getName() + "' hall",
            "hall.set 21 heat",
            "hall",
            "hall.set 31 heat");

    assertThat(ran.lines()).containsExactly("21.0", "HEAT 21.0");
    assertThat(ran.err()).contains("IllegalArgumentException: too warm");
    assertThat(shell("hall").err()).contains("hall has been changed as Thermostat. Open it");
    assertThat(corfu("", "object", "show", "hall", "--as", Thermostat.class.getName()).lines())
        .containsExactly("HEAT 21.0");
  }

  @Test
  void whatAnApplicationWroteIsFoundByItsName() {
    try (Corfu corfu = connect()) {
      ReplicatedObjects.over(corfu)
          .open("from.elsewhere", ReplicatedMap.of(String.class, Long.class))
          .fastPut("a", 5L);
    }

    assertThat(shell("open map from.elsewhere as e", "e.get a", "e.put a 6L").lines())
        .containsExactly("5", "5");
    assertThat(corfu("", "object", "show", "from.elsewhere").lines()).containsExactly("{\"a\": 6}");
  }
}
