package corfu.cli.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.AbandonedTokens;
import corfu.cli.Ran;
import corfu.cli.command.ExitCode;
import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.Supervision;
import corfu.node.local.LocalCluster;
import corfu.protocol.StreamId;
import corfu.protocol.stream.TokenWish;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about streams against servers over TCP; the servers are in this JVM. */
class StreamCommandsTest {

  private static final StreamId ORDERS = StreamId.named("orders");
  private static final StreamId AUDIT = StreamId.named("audit");

  /** Nobody dies here, and a busy machine is not to make it look as if. */
  private static final Supervision CALM = Supervision.DEFAULT.withAgent(false);

  @TempDir Path directory;
  private ClusterConfig config;
  private final List<Node> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    try (var world = new RealWorld()) {
      config =
          LocalCluster.at(directory, world).create(2, 2, UnitMode.MEMORY).withSupervision(CALM);
    }
    config.servers().forEach(server -> nodes.add(Node.start(config, server.name())));
    Bootstrap.bootstrap(config);
  }

  @AfterEach
  void stop() {
    nodes.forEach(Node::close);
  }

  /** Runs a command about streams. */
  private Ran stream(String... arguments) {
    return streamWith("", arguments);
  }

  private Ran streamWith(String input, String... arguments) {
    return streamWith(input.getBytes(UTF_8), arguments);
  }

  private Ran streamWith(byte[] input, String... arguments) {
    var all = new ArrayList<>(List.of("stream"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--dir", directory.toString()));
    return Ran.corfuWith(input, all.toArray(String[]::new));
  }

  @Test
  void aTextIsAppendedAndItsAddressesAreTold() {
    assertThat(stream("append", "--stream", "orders", "one book").out()).isEqualTo("0\t0\n");
    assertThat(stream("append", "--stream", "audit", "--stream", "orders", "a lamp").out())
        .isEqualTo("1\t0\t1\n");
    assertThat(stream("append", "--stream", "audit", "--stream", "orders", "--json", "x").out())
        .isEqualTo(
            "{\"address\":2,\"streams\":[{\"stream\":\"audit\",\"streamAddress\":1},"
                + "{\"stream\":\"orders\",\"streamAddress\":2}]}\n");
    assertThat(stream("read", "--stream", "orders").out()).isEqualTo("one book\na lamp\nx\n");
    assertThat(stream("read", "--stream", "audit").out()).isEqualTo("a lamp\nx\n");
  }

  @Test
  void linesBecomeEntriesAndEntriesLines() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "c\nd\n");

    assertThat(streamWith("a\n\nb", "append", "--stream", "orders").lines())
        .containsExactly("0\t0", "1\t1", "2\t2");
    assertThat(stream("append", "--stream", "orders", "--file", file.toString()).lines())
        .containsExactly("3\t3", "4\t4");
    assertThat(stream("read", "--stream", "orders").out()).isEqualTo("a\n\nb\nc\nd\n");
    assertThat(stream("tail", "--stream", "orders").out()).isEqualTo("5\n");
    assertThat(stream("tail", "--stream", "orders", "--json").out())
        .isEqualTo("{\"stream\":\"orders\",\"tail\":5}\n");
    assertThat(stream("tail", "--stream", "audit").out()).isEqualTo("0\n");
  }

  @Test
  void bytesGoInAndComeOutUnchanged() {
    byte[] bytes = {10, 0, -1, 13, 10};
    streamWith(bytes, "append", "--binary", "--stream", "orders");

    assertThat(stream("read", "0", "--binary", "--stream", "orders").bytes()).isEqualTo(bytes);
    assertThat(stream("read", "--json", "--stream", "orders").out())
        .isEqualTo(
            "{\"stream\":\"orders\",\"streamAddress\":0,\"address\":0,\"base64\":\"CgD/DQo=\"}\n");
  }

  @Test
  void aStreamIsNamedOrGivenById() {
    stream("append", "--stream", "orders", "one book");

    assertThat(stream("read", "--stream", "id:" + ORDERS).out()).isEqualTo("one book\n");
    assertThat(stream("read", "--stream", "id:" + AUDIT).out()).isEmpty();
  }

  @Test
  void aRangeIsReadByItsPlacesInTheStream() {
    for (int i = 0; i < 6; i++) {
      stream("append", "--stream", i % 2 == 0 ? "orders" : "audit", "entry " + i);
    }

    assertThat(stream("read", "--stream", "orders", "--from", "1", "--addresses").lines())
        .containsExactly("1\t2\tentry 2", "2\t4\tentry 4");
    assertThat(stream("read", "--stream", "orders", "--to", "2").lines())
        .containsExactly("entry 0", "entry 2");
    assertThat(stream("read", "--stream", "orders", "--from", "1", "--limit", "1").lines())
        .containsExactly("entry 2");
    assertThat(stream("read", "--stream", "orders", "2", "--json").out())
        .isEqualTo(
            "{\"stream\":\"orders\",\"streamAddress\":2,\"address\":4,\"data\":\"entry 4\"}\n");
  }

  @Test
  void severalStreamsAreReadInTheOrderOfTheLog() {
    stream("append", "--stream", "orders", "a");
    stream("append", "--stream", "audit", "b");
    stream("append", "--stream", "orders", "--stream", "audit", "c");
    stream("append", "--stream", "orders", "d");
    String[] both = {"read", "--stream", "orders", "--stream", "audit"};

    assertThat(stream(both).lines())
        .containsExactly("orders\ta", "audit\tb", "orders\tc", "audit\tc", "orders\td");
    assertThat(stream(with(both, "--limit", "2")).lines()).containsExactly("orders\ta", "audit\tb");
    assertThat(stream(with(both, "--from", "1", "--to", "2", "--addresses")).lines())
        .containsExactly("orders\t1\t2\tc", "audit\t1\t2\tc");
    assertThat(stream(with(both, "--from", "2", "--from", "0", "--json")).lines())
        .containsExactly(
            "{\"stream\":\"audit\",\"streamAddress\":0,\"address\":1,\"data\":\"b\"}",
            "{\"stream\":\"audit\",\"streamAddress\":1,\"address\":2,\"data\":\"c\"}",
            "{\"stream\":\"orders\",\"streamAddress\":2,\"address\":3,\"data\":\"d\"}");
    assertThat(stream(with(both, "--binary")).out()).isEqualTo("abccd");
    assertThat(stream("tail", "--stream", "orders", "--stream", "audit").lines())
        .containsExactly("orders\t3", "audit\t2");
  }

  @Test
  void aTerminalShowsBytesThatAreNotTextInHex() {
    byte[] bytes = {10, 0, -1, 13, 10};
    streamWith(bytes, "append", "--binary", "--stream", "orders");
    stream("append", "--stream", "orders", "text");

    Ran shown = onTerminal("stream", "read", "--stream", "orders");
    assertThat(shown.lines()).containsExactly("(5 bytes: 0a 00 ff 0d 0a)", "text");
    assertThat(shown.err()).contains("--binary writes their bytes").hasLineCount(1);
    Ran raw = onTerminal("stream", "read", "0", "--binary", "--stream", "orders");
    assertThat(raw.bytes()).isEqualTo(bytes);
    assertThat(raw.err()).isEmpty();
    assertThat(stream("read", "--stream", "orders").bytes())
        .isEqualTo(new byte[] {10, 0, -1, 13, 10, 10, 't', 'e', 'x', 't', 10});
  }

  private Ran onTerminal(String... arguments) {
    return Ran.corfuOnTerminal(80, with(arguments, "--dir", directory.toString()));
  }

  @Test
  void behindItsEndAStreamHasNothingYet() {
    stream("append", "--stream", "orders", "one book");

    var ran = stream("read", "1", "--stream", "orders");
    assertThat(ran.status()).isEqualTo(ExitCode.UNWRITTEN);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("orders", "no entry at 1 yet");
    assertThat(stream("read", "1", "--stream", "orders", "--json").out())
        .isEqualTo("{\"stream\":\"orders\",\"streamAddress\":1,\"unwritten\":true}\n");
    assertThat(stream("read", "--from", "1", "--stream", "orders").status()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aStreamThatNobodyHasAppendedToIsSaidToBeUnknown() {
    var unknown = stream("read", "--stream", "ordres");
    assertThat(unknown.status()).isEqualTo(ExitCode.OK);
    assertThat(unknown.out()).isEmpty();
    assertThat(unknown.err()).contains("no stream ordres is known");

    assertThat(stream("tail", "--stream", "ordres").err()).contains("no stream ordres is known");
    stream("append", "one book", "--stream", "orders");
    assertThat(stream("read", "--stream", "orders", "--from", "1").err())
        .contains("stream orders has no entries from 1 on; it ends before 1");
    assertThat(stream("read", "--stream", "orders", "--from", "1", "--to", "0").err())
        .contains("--to 0 is not above --from 1");
    assertThat(stream("read", "--stream", "orders").err()).isEmpty();
  }

  @Test
  void aPlaceThatADeadWriterLeftOutDoesNotShow() {
    stream("append", "--stream", "orders", "first");
    AbandonedTokens.takeOne(config, TokenWish.in(List.of(ORDERS)));
    stream("append", "--stream", "orders", "last");

    assertThat(stream("read", "--stream", "orders", "--addresses").lines())
        .containsExactly("0\t0\tfirst", "2\t2\tlast");
    var ran = stream("read", "1", "--stream", "orders");
    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.err()).contains("no entry at 1 and never will");
  }

  @Test
  void followPrintsWhatThereIsAndGoesOnWhereItStopped() {
    streamWith("a\nb\nc\nd\n", "append", "--stream", "orders");

    assertThat(stream("follow", "--stream", "orders", "--from", "0", "--limit", "2").lines())
        .containsExactly("a", "b");
    assertThat(
            stream("follow", "--stream", "orders", "--from", "2", "--limit", "2", "--json").lines())
        .containsExactly(
            "{\"stream\":\"orders\",\"streamAddress\":2,\"address\":2,\"data\":\"c\"}",
            "{\"stream\":\"orders\",\"streamAddress\":3,\"address\":3,\"data\":\"d\"}");
  }

  @Test
  void severalStreamsAreFollowedInTheOrderOfTheLog() {
    stream("append", "--stream", "orders", "a");
    stream("append", "--stream", "audit", "b");
    stream("append", "--stream", "orders", "--stream", "audit", "c");
    stream("append", "--stream", "orders", "d");
    String[] both = {"follow", "--stream", "orders", "--stream", "audit", "--from", "0"};

    assertThat(stream(with(both, "--limit", "5")).lines())
        .containsExactly("orders\ta", "audit\tb", "orders\tc", "audit\tc", "orders\td");
    assertThat(stream(with(both, "--from", "1", "--limit", "4", "--addresses")).lines())
        .containsExactly("orders\t0\t0\ta", "orders\t1\t2\tc", "audit\t1\t2\tc", "orders\t2\t3\td");
  }

  private static String[] with(String[] some, String... more) {
    var all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void whatIsAppendedMeanwhileIsFollowed() throws InterruptedException {
    stream("append", "--stream", "orders", "before");
    var followed = new ArrayList<String>();
    var follower =
        Thread.ofVirtual()
            .start(
                () -> {
                  String[] from = {"follow", "--stream", "orders", "--from", "1", "--limit", "2"};
                  followed.addAll(stream(from).lines());
                });

    stream("append", "--stream", "orders", "one");
    stream("append", "--stream", "orders", "two");

    follower.join();
    assertThat(followed).containsExactly("one", "two");
  }

  @Test
  void allStreamsAreListedWithTheNamesThatAreKnown() {
    streamWith("a\nb\nc\n", "append", "--stream", "orders");
    stream("append", "--stream", "audit", "x");
    String orders = ORDERS + "\t3\torders";
    String audit = AUDIT + "\t1";

    assertThat(stream("list", "--stream", "orders", "--stream", "nobody").lines())
        .containsExactlyInAnyOrder(orders, audit);
    assertThat(stream("list", "--json", "--stream", "audit").lines())
        .contains("{\"id\":\"" + AUDIT + "\",\"stream\":\"audit\",\"tail\":1}")
        .contains("{\"id\":\"" + ORDERS + "\",\"tail\":3}");
  }

  @Test
  void aLongListGoesOnWhereItStopped() {
    for (int i = 0; i < 5; i++) {
      stream("append", "--stream", "stream " + i, "x");
    }
    List<String> all = stream("list").lines();
    String second = all.get(1).substring(0, all.get(1).indexOf('\t'));
    assertThat(all)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 5).mapToObj(i -> StreamId.named("stream " + i) + "\t1").toList());

    var first = stream("list", "--limit", "2");
    assertThat(first.lines()).isEqualTo(all.subList(0, 2));
    assertThat(first.err()).contains("--after " + second);
    var rest = stream("list", "--after", second);
    assertThat(rest.lines()).isEqualTo(all.subList(2, 5));
    assertThat(rest.err()).isEmpty();
  }

  @Test
  void inspectShowsWhereAStreamIsAndWhoKnowsOfIt() {
    stream("append", "--stream", "orders", "a");
    stream("append", "--stream", "audit", "x");
    stream("append", "--stream", "orders", "b");
    AbandonedTokens.takeOne(config, TokenWish.in(List.of(ORDERS)));

    var text = stream("inspect", "--stream", "orders");
    assertThat(text.status()).isEqualTo(ExitCode.OK);
    assertThat(text.lines())
        .contains(
            "id              " + ORDERS,
            "tail            2",
            "next token      3",
            "last tokens     log addresses [3, 2, 0]",
            "trimmed before  0",
            "             1            2  [0] relative",
            "             0            0  nothing");
    assertThat(text.lines())
        .filteredOn(line -> line.contains("its newest is 1, at log address 2"))
        .hasSize(2);
    assertThat(stream("inspect", "--stream", "orders", "--json").out())
        .startsWith("{\"stream\":\"orders\",\"id\":\"" + ORDERS + "\",\"tail\":2,\"nextToken\":3,")
        .contains(
            "\"newest\":[{\"streamAddress\":1,\"address\":2,"
                + "\"backpointers\":\"relative\",\"previous\":[0]}")
        .contains("\"knows\":true,\"streamAddress\":1,\"address\":2,\"trimmedBefore\":0");
  }

  @Test
  void inspectSaysThatNobodyKnowsAStream() {
    var ran = stream("inspect", "--stream", "nobody");

    assertThat(ran.status()).isEqualTo(ExitCode.OK);
    assertThat(ran.lines()).contains("tail            0");
    assertThat(ran.lines()).filteredOn(line -> line.contains("no entry")).hasSize(2);
  }

  @Test
  void whatWasTrimmedIsNotThereAnyMore() {
    streamWith("a\nb\nc\nd\n", "append", "--stream", "orders");

    assertThat(stream("trim", "--stream", "orders", "--before", "2", "--json").out())
        .isEqualTo("{\"stream\":\"orders\",\"trimmedBefore\":2}\n");

    var rest = stream("read", "--stream", "orders");
    assertThat(rest.status()).isEqualTo(ExitCode.OK);
    assertThat(rest.lines()).containsExactly("c", "d");
    assertThat(rest.err()).contains("orders has been trimmed before 2");
    var one = stream("read", "1", "--stream", "orders");
    assertThat(one.status()).isEqualTo(ExitCode.TRIMMED);
    assertThat(one.out()).isEmpty();
    assertThat(stream("read", "--json", "--stream", "orders").lines())
        .containsExactly(
            "{\"stream\":\"orders\",\"trimmedBefore\":2}",
            "{\"stream\":\"orders\",\"streamAddress\":2,\"address\":2,\"data\":\"c\"}",
            "{\"stream\":\"orders\",\"streamAddress\":3,\"address\":3,\"data\":\"d\"}");
    assertThat(stream("inspect", "--stream", "orders").lines()).contains("trimmed before  2");
  }

  @Test
  void whatIsYetToBeAppendedIsNotTrimmed() {
    stream("append", "--stream", "orders", "a");

    var ran = stream("trim", "--stream", "orders", "--before", "2");

    assertThat(ran.status()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains("ends before 1", "yet to be appended");
    assertThat(stream("trim", "--stream", "orders", "--before", "1").status())
        .isEqualTo(ExitCode.OK);
    assertThat(stream("tail", "--stream", "orders").out()).isEqualTo("1\n");
  }

  @Test
  void anEntryMayNotBeInMoreStreamsThanTheClusterAllows() {
    String[] many = new String[66 * 2];
    for (int i = 0; i < 66; i++) {
      many[2 * i] = "--stream";
      many[2 * i + 1] = "stream " + i;
    }

    var ran = stream(with(with(new String[] {"append", "x"}, many)));

    assertThat(ran.status()).isEqualTo(ExitCode.TOO_LARGE);
    assertThat(ran.err()).contains("66 streams");
    assertThat(stream("list").out()).isEmpty();
  }
}
