package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.OldClient;
import corfu.runtime.cluster.RoleCluster;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The costs of a read over many addresses whose tokens were abandoned. */
final class ManyHolesTest {

  private static final int HOLES = 20_000;

  private final RoleCluster cluster = RoleCluster.builder().nodes(3).replicas(2).start();
  private final FaultyWay way = new FaultyWay(cluster.transport());
  private final Corfu corfu =
      Corfu.connect(
          cluster.clientOptions().withHoleTimeout(Duration.ofMillis(200)), cluster.world(), way);
  private final Log log = corfu.log();
  private final Layout layout = corfu.layout();

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  private void abandonTokens(int count) {
    var sequencer = cluster.transport().peer(layout.sequencers().getFirst());
    var next = new SequencerRequest.Next(layout.epoch(), count);
    assertThat(sequencer.call(next, TimeUnit.SECONDS.toNanos(5)))
        .isInstanceOf(SequencerReply.Tokens.class);
  }

  private AtomicInteger count(Predicate<Request> which) {
    AtomicInteger requests = new AtomicInteger();
    way.plan(
        (server, request) -> {
          if (which.test(request)) {
            requests.incrementAndGet();
          }
          return FaultyWay.Fate.ARRIVES;
        });
    return requests;
  }

  private static List<LogEntry> holes(long from, long to) {
    return LongStream.range(from, to)
        .<LogEntry>mapToObj(at -> new LogEntry.Hole(new Address(at)))
        .toList();
  }

  @Test
  void aRunOfThemIsFilledByFewRequests() {
    abandonTokens(HOLES);
    AtomicInteger requests =
        count(
            request ->
                request instanceof LogUnitRequest.Write || request instanceof LogUnitRequest.Read);

    assertThat(log.read(Address.ZERO, new Address(HOLES))).isEqualTo(holes(0, HOLES));

    assertThat(requests.get()).isLessThan(HOLES / 10);
    assertThat(cluster.connect().log().read(Address.ZERO, new Address(HOLES)))
        .isEqualTo(holes(0, HOLES));
  }

  @Test
  void aLogThatIsReadPieceByPieceWaitsOnceForTheirWriters() {
    int piece = 500;
    abandonTokens(HOLES);
    AtomicInteger looks = count(SequencerRequest.AskTail.class::isInstance);

    for (long at = 0; at < HOLES; at += piece) {
      assertThat(log.read(new Address(at), new Address(at + piece)))
          .isEqualTo(holes(at, at + piece));
    }

    int pieces = HOLES / piece;
    int looksOfAWait = 16 * 30;
    assertThat(looks.get()).isLessThan(pieces * (16 + 1) + 2 * looksOfAWait);
  }

  @Test
  void whatIsNoHoleAmongThemIsFound() {
    abandonTokens(3000);
    Entry halfDone = Entry.data(1500, new AppendId(1, 1), ByteBuffer.wrap(new byte[] {1}));
    var write = new LogUnitRequest.Write(layout.epoch(), List.of(halfDone));
    assertThat(
            cluster
                .transport()
                .peer(layout.chainOf(1500).head())
                .call(write, TimeUnit.SECONDS.toNanos(5)))
        .isInstanceOf(LogUnitReply.Writes.class);
    new OldClient(cluster.transport(), layout).trim(AddressSet.of(2000));
    Address last = log.append(new byte[] {2});

    List<LogEntry> all = log.read(Address.ZERO, new Address(last.value() + 1));

    assertThat(all).hasSize(3001);
    for (LogEntry entry : all) {
      switch ((int) entry.address().value()) {
        case 1500, 3000 -> assertThat(entry).isInstanceOf(LogEntry.Data.class);
        case 2000 -> assertThat(entry).isInstanceOf(LogEntry.Trimmed.class);
        default -> assertThat(entry).isInstanceOf(LogEntry.Hole.class);
      }
    }
    assertThat(cluster.connect().log().read(Address.ZERO, new Address(3001))).isEqualTo(all);
  }
}
