package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Limits;
import corfu.runtime.cluster.OldClient;
import corfu.runtime.cluster.RoleCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log as its users see it when nothing fails. */
final class LogTest {

  private final RoleCluster cluster = RoleCluster.builder().nodes(3).replicas(2).start();
  private final Corfu corfu = cluster.connect();
  private final Log log = corfu.log();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static LogEntry data(long address, String text) {
    return new LogEntry.Data(new Address(address), java.nio.ByteBuffer.wrap(bytes(text)));
  }

  @Test
  void appendsGetOneAddressAfterTheOther() {
    assertThat(log.append(bytes("a"))).isEqualTo(new Address(0));
    assertThat(log.append(bytes("b"))).isEqualTo(new Address(1));
    assertThat(log.tail()).isEqualTo(new Address(2));
  }

  @Test
  void whatOneClientAppendedAnotherReads() {
    Address address = log.append(bytes("hello"));

    assertThat(cluster.connect().log().read(address)).isEqualTo(data(0, "hello"));
  }

  @Test
  void anEmptyEntryIsAnEntry() {
    Address address = log.append(new byte[0]);

    assertThat(log.read(address)).isEqualTo(data(0, ""));
  }

  @Test
  void manyClientsAtOnceLoseNothingAndRepeatNothing() {
    int clients = 4;
    int appends = 500;
    List<CompletableFuture<Address>> all = new ArrayList<>();
    for (int c = 0; c < clients; c++) {
      Log own = cluster.connect().log();
      for (int i = 0; i < appends; i++) {
        all.add(own.appendAsync(bytes(c + ":" + i)));
      }
    }
    List<Long> addresses = all.stream().map(done -> done.join().value()).toList();

    assertThat(addresses)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, clients * appends).boxed().toList());
    for (int i = 0; i < all.size(); i++) {
      String expected = i / appends + ":" + i % appends;
      assertThat(log.read(new Address(addresses.get(i))))
          .isEqualTo(data(addresses.get(i), expected));
    }
  }

  @Test
  void theAppendsOfOneClientKeepTheirOrder() {
    List<CompletableFuture<Address>> appends = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      appends.add(log.appendAsync(bytes("entry " + i)));
    }

    assertThat(appends.stream().map(done -> done.join().value()).toList())
        .isEqualTo(LongStream.range(0, 20_000).boxed().toList());
  }

  /** The range has some twenty megabytes, and every reply holds another number of entries. */
  @Test
  void aRangeOfManyRepliesIsReadInItsOrderWhateverItsEntriesMeasure() {
    int count = 600;
    List<Integer> sizes = IntStream.range(0, count).map(i -> i * i % 9_973 * 7).boxed().toList();
    var appends = sizes.stream().map(size -> log.appendAsync(ByteBuffer.allocate(size))).toList();
    appends.forEach(CompletableFuture::join);
    log.trim(new Address(17));

    List<LogEntry> all = log.read(new Address(0), new Address(count));

    assertThat(all).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(all.get(i).address()).isEqualTo(new Address(i));
      if (i == 17) {
        assertThat(all.get(i)).isInstanceOf(LogEntry.Trimmed.class);
      } else {
        assertThat(((LogEntry.Data) all.get(i)).payload().remaining()).isEqualTo(sizes.get(i));
      }
    }
  }

  @Test
  void aRangeIsReadInItsOrder() {
    IntStream.range(0, 100).forEach(i -> log.append(bytes("entry " + i)));

    assertThat(log.read(new Address(10), new Address(20)))
        .isEqualTo(IntStream.range(10, 20).mapToObj(i -> data(i, "entry " + i)).toList());
  }

  @Test
  void aListIsReadInItsOrder() {
    IntStream.range(0, 20).forEach(i -> log.append(bytes("entry " + i)));

    assertThat(log.read(List.of(new Address(7), new Address(3), new Address(25))))
        .containsExactly(
            data(7, "entry 7"), data(3, "entry 3"), new LogEntry.Unwritten(new Address(25)));
  }

  @Test
  void behindTheTailNothingIsWritten() {
    log.append(bytes("a"));

    assertThat(log.read(new Address(1))).isEqualTo(new LogEntry.Unwritten(new Address(1)));
    assertThat(log.read(new Address(1L << 60)))
        .isEqualTo(new LogEntry.Unwritten(new Address(1L << 60)));
    assertThat(log.read(new Address(0), new Address(3)))
        .containsExactly(
            data(0, "a"),
            new LogEntry.Unwritten(new Address(1)),
            new LogEntry.Unwritten(new Address(2)));
  }

  @Test
  void aTrimmedAddressStaysTrimmed() {
    log.append(bytes("a"));
    log.append(bytes("b"));

    log.trim(new Address(0));
    log.trim(new Address(0));

    assertThat(log.read(new Address(0))).isEqualTo(new LogEntry.Trimmed(new Address(0)));
    assertThat(log.read(new Address(1))).isEqualTo(data(1, "b"));
  }

  @Test
  void aPrefixTrimTakesEverythingBelow() {
    IntStream.range(0, 10).forEach(i -> log.append(bytes("entry " + i)));

    log.prefixTrim(new Address(5));

    assertThat(log.read(new Address(4))).isEqualTo(new LogEntry.Trimmed(new Address(4)));
    assertThat(log.read(new Address(5))).isEqualTo(data(5, "entry 5"));
    assertThat(log.read(new Address(3), new Address(6)))
        .containsExactly(
            new LogEntry.Trimmed(new Address(3)),
            new LogEntry.Trimmed(new Address(4)),
            data(5, "entry 5"));
  }

  @Test
  void aCompressionIsAskedOfAllLogUnitsAndChangesNoEntry() {
    IntStream.range(0, 10).forEach(i -> log.append(bytes("entry " + i)));

    List<CompressionReport> asked = log.compress(new Address(10));

    assertThat(asked).hasSize(3).allMatch(CompressionReport::isDone);
    assertThat(log.compression()).isEqualTo(asked);
    assertThat(log.read(new Address(5))).isEqualTo(data(5, "entry 5"));
    assertThatThrownBy(() -> log.compress(new Address(11)))
        .isInstanceOf(BeyondTailException.class)
        .hasMessageContaining("compress everything before address 11");
  }

  @Test
  void aLogUnitThatDoesNotAnswerIsReported() {
    log.append(bytes("a"));
    cluster.kill("n3");

    List<CompressionReport> asked = log.compress(new Address(1));

    assertThat(asked).filteredOn(CompressionReport::isDone).hasSize(2);
    assertThat(asked).filteredOn(report -> !report.problem().isEmpty()).hasSize(1);
  }

  @Test
  void fillingAWrittenAddressFindsItsEntry() {
    log.append(bytes("a"));

    assertThat(log.fill(new Address(0))).isEqualTo(data(0, "a"));
  }

  @Test
  void anAppendGoesRoundAHoleThatIsInItsWay() {
    new OldClient(cluster.transport(), corfu.layout()).fill(0);

    assertThat(log.append(bytes("a"))).isEqualTo(new Address(1));
    assertThat(log.fill(new Address(0))).isEqualTo(new LogEntry.Hole(new Address(0)));
    assertThat(log.read(new Address(0))).isEqualTo(new LogEntry.Hole(new Address(0)));
  }

  @Test
  void anAppendGoesRoundATrimmedAddress() {
    new OldClient(cluster.transport(), corfu.layout()).prefixTrim(3);

    assertThat(log.append(bytes("a"))).isEqualTo(new Address(3));
  }

  @Test
  void anEntryAtTheLimitIsAppendedAndOneAboveItRefused() {
    try (RoleCluster small = RoleCluster.builder().limits(Limits.ofPayload(1000)).start()) {
      Log limited = small.connect().log();

      assertThat(limited.append(new byte[1000])).isEqualTo(new Address(0));
      assertThatThrownBy(() -> limited.append(new byte[1001]))
          .isInstanceOf(EntryTooLargeException.class)
          .hasMessageContaining("1001 bytes")
          .hasMessageContaining("up to 1000");
      assertThat(limited.tail()).isEqualTo(new Address(1));
    }
  }

  @Test
  void aSixteenMebibyteEntryComesBackAsItWas() {
    byte[] large = new byte[16 << 20];
    new java.util.SplittableRandom(1).nextBytes(large);

    Address address = log.append(large);

    assertThat(log.read(address))
        .isInstanceOfSatisfying(
            LogEntry.Data.class, entry -> assertThat(entry.toBytes()).isEqualTo(large));
  }

  @Test
  void theClusterReportsAllItsServers() {
    log.append(bytes("a"));
    try (Corfu corfu = cluster.connect()) {
      assertThat(corfu.servers())
          .hasSize(3)
          .allSatisfy(server -> assertThat(server.problem()).isEmpty());
      assertThat(
              corfu.servers().stream()
                  .mapToLong(server -> server.usage().orElseThrow().entries())
                  .sum())
          .as("one entry on two replicas")
          .isEqualTo(2);
    }
  }
}
