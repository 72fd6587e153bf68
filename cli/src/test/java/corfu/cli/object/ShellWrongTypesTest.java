package corfu.cli.object;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.objects.record.CallId;
import corfu.objects.record.Catalogued;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages for people who open an object as a wrong type, or find that another client did. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShellWrongTypesTest {

  private static final StreamId CATALOGUE = StreamId.named("corfu.objects/catalogue");
  private static final CallId CALL = new CallId(7, 1);

  private ShellCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = new ShellCluster(directory);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private void append(StreamId stream, ObjectRecord record) {
    try (Corfu corfu = cluster.connect()) {
      var unused = Streams.over(corfu).open(stream).append(RecordCodec.encode(record));
    }
  }

  /** As shells did that did not look what an object is. */
  private void takeForAList(String name) {
    ValueOutput arguments = new ValueOutput();
    StandardSerializer.create().write(new Object[] {"x"}, arguments);
    StreamId object = StreamId.named(name);
    Update update = new Update(object, "add(Object)", 0, arguments.toBuffer());
    append(object, new Updates(CALL, 0, List.of(update)));
    append(CATALOGUE, new Catalogued(CALL, 0, object, name, "ReplicatedList"));
  }

  @Test
  void aCallThroughTheWrongTypeIsRefusedAndLeavesNothing() {
    cluster.shell("open map accounts", "accounts.put alice 5");
    String tail = cluster.shell("tail").out();

    Ran wrong = cluster.shell("open list accounts", "accounts.add x");

    assertThat(wrong.status()).isEqualTo(ExitCode.FAILED);
    assertThat(wrong.err())
        .contains("line 2: accounts.add x: the entry at address ")
        .contains("of object accounts calls put(Object,Object), which ReplicatedList does not have")
        .doesNotContain("Exception");
    assertThat(cluster.shell("tail").out()).isEqualTo(tail);
    assertThat(cluster.shell("accounts.get alice").out().strip()).isEqualTo("5");
  }

  @Test
  void anObjectThatSomebodyTookForAnotherTypeIsUsedAsEver() {
    cluster.shell("open map stock", "stock.put pens 5");
    String then = cluster.shell("tail").out().strip();
    takeForAList("stock");

    Ran ran =
        cluster.shell(
            "stock.put pens 6",
            "stock",
            "checkpoint stock",
            "rollback " + then + " stock",
            "stock");

    assertThat(ran.err()).isEmpty();
    assertThat(ran.lines()).startsWith("5", "{\"pens\": 6}").endsWith("{\"pens\": 5}");
    assertThat(cluster.corfu("", "object", "show", "stock").out().strip())
        .isEqualTo("{\"pens\": 5}");
    assertThat(cluster.corfu("", "object", "checkpoint", "stock").status()).isZero();
    assertThat(cluster.corfu("", "object", "history", "stock").out()).contains("\tadd(\"x\")");
    String tail = cluster.shell("tail").out().strip();
    assertThat(cluster.shell("forget stock " + tail, "stock.get pens").lines())
        .last()
        .isEqualTo("5");
  }

  @Test
  void aKeyOfAnotherClassIsNamedWithoutWhatOnlyTheJvmKnows() {
    Ran ran = cluster.shell("open rangemap ranges", "ranges.put 1 a", "ranges.put b c");

    assertThat(ran.err())
        .contains(
            "line 3: ranges.put b c: a value of class String was given where the object has class"
                + " Integer");
    assertThat(cluster.shell("ranges").out().strip()).isEqualTo("{1: \"a\"}");
  }

  @Test
  void anUpdateThatIsNotUnderstoodIsNamedWithTheWayOut() {
    cluster.shell("open set tags", "tags.add new");
    String then = cluster.shell("tail").out().strip();
    StreamId object = StreamId.named("tags");
    ValueOutput arguments = new ValueOutput();
    StandardSerializer.create().write(new Object[] {}, arguments);
    Update later = new Update(object, "corfu:later", 0, arguments.toBuffer());
    append(object, new Updates(CALL, 0, List.of(later)));

    Ran stuck = cluster.shell("tags");

    assertThat(stuck.status()).isEqualTo(ExitCode.FAILED);
    assertThat(stuck.err())
        .contains("the entry at address " + then + " of object tags calls corfu:later")
        .contains("roll it back to address " + then);
    assertThat(cluster.shell("rollback " + then + " tags", "tags").out().strip())
        .isEqualTo("[\"new\"]");
  }
}
