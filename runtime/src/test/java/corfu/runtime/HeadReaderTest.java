package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.StreamAddress;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.MortalClient;
import corfu.runtime.cluster.MortalClient.LastRequest;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heads of a stream's entries, in its order, and the traffic that they cause. */
@Timeout(60)
final class HeadReaderTest {

  private static final int HEAD = 100;
  private static final int LARGE = 1 << 20;

  private final RoleCluster cluster =
      RoleCluster.builder().nodes(3).replicas(2).streamReplicas(1).start();
  private final Corfu writer = cluster.connect();
  private final Streams written = Streams.over(writer);
  private final LogStream orders = written.open("orders");
  private final LogStream bills = written.open("bills");
  private final AtomicLong entryBytes = new AtomicLong();
  private final CountingTransport counting = new CountingTransport(new WeighingTransport());
  private final Corfu corfu =
      cluster.connect(
          cluster.clientOptions().withHoleTimeout(Duration.ofMillis(20)), way -> counting);
  private final Streams streams = Streams.over(corfu);
  private final HeadReader reader = heads(0);

  /** Counts the bytes of entries in replies. */
  private final class WeighingTransport implements Transport {

    private final Transport real = cluster.transport();

    @Override
    public Peer peer(Endpoint endpoint) {
      Peer peer = real.peer(endpoint);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          return peer.send(request, timeoutNanos)
              .whenComplete((reply, failure) -> entryBytes.addAndGet(bytesOf(reply)));
        }
      };
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static long bytesOf(Reply reply) {
    return switch (reply) {
      case LogUnitReply.FoundBlocks(List<BlocksOutcome> outcomes) ->
          outcomes.stream().mapToLong(HeadReaderTest::bytesOf).sum();
      case null, default -> 0;
    };
  }

  private static long bytesOf(BlocksOutcome outcome) {
    return switch (outcome) {
      case BlocksOutcome.Found(EntryBlocks blocks) -> blocks.lengthBytes();
      case BlocksOutcome.Whole(Entry entry) -> entry.lengthBytes();
      default -> 0;
    };
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private HeadReader heads(long from) {
    return streams.open("orders").heads(new StreamAddress(from), HEAD);
  }

  private static byte[] payload(int number, int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(number).nextBytes(payload);
    return payload;
  }

  private static ByteBuffer headOf(byte[] payload) {
    return ByteBuffer.wrap(Arrays.copyOf(payload, Math.min(HEAD, payload.length)));
  }

  private List<HeadRead> rest(HeadReader of) {
    List<HeadRead> all = new ArrayList<>();
    HeadRead next = of.readNext();
    while (!(next instanceof HeadRead.Absent)) {
      all.add(next);
      next = of.readNext();
    }
    return all;
  }

  private List<HeadRead> all(HeadReader of) {
    of.sync();
    return rest(of);
  }

  private StreamEnds ends() {
    return streams.ends(List.of(orders.id()));
  }

  /** Appends to a stream, and dies at this request: a token that no append has used. */
  private void dieAppending(LogStream stream) {
    try (MortalClient mortal = new MortalClient(cluster)) {
      var unused = mortal.corfu().log().tail(); // it knows the layout
      mortal.diesAfter(1, LastRequest.IS_LOST);
      LogStream its = Streams.over(mortal.corfu()).open(stream.id());
      assertThatThrownBy(() -> its.append(new byte[7])).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void aHeadTellsPlaceAddressAndLengthOfItsEntry() {
    byte[] large = payload(1, LARGE);
    byte[] small = payload(2, 30);
    var first = orders.append(large);
    bills.append(payload(3, 10));
    var second = orders.append(small);

    assertThat(all(reader))
        .containsExactly(
            new HeadRead.Head(new StreamAddress(0), first.address(), LARGE, headOf(large)),
            new HeadRead.Head(new StreamAddress(1), second.address(), 30, headOf(small)));
    assertThat(rest(reader)).isEmpty();
  }

  @Test
  void headsOfLargeEntriesCostAboutTheHeads() {
    for (int i = 0; i < 8; i++) {
      orders.append(payload(i, LARGE));
    }
    entryBytes.set(0);

    assertThat(all(reader)).hasSize(8);
    assertThat(entryBytes.get()).isBetween(8L * HEAD, 8L * 5_000);
  }

  @Test
  void newEntriesAreOneQuestionForTheEndAndOneRoundTripForTheHeads() {
    orders.append(payload(0, LARGE));
    assertThat(all(reader)).hasSize(1);
    for (int i = 0; i < 3; i++) {
      orders.append(payload(i, LARGE));
    }
    List<HeadRead> found = new ArrayList<>();

    assertThat(counting.roundTripsOf(() -> found.addAll(all(reader)))).isEqualTo(2);
    assertThat(found).hasSize(3);
    assertThat(counting.requestsOf(() -> found.addAll(all(reader)))).isEqualTo(1);
    assertThat(found).hasSize(3);
  }

  @Test
  void entriesOfTheReadersOwnClientAreNotRead() {
    assertThat(all(reader)).isEmpty();
    for (int i = 0; i < 3; i++) {
      byte[] payload = payload(i, 50 + i);
      reader.addOwn(streams.open("orders").append(payload), ByteBuffer.wrap(payload));
    }
    List<HeadRead> found = new ArrayList<>();

    assertThat(counting.requestsOf(() -> found.addAll(all(reader)))).isEqualTo(1);
    assertThat(found).hasSize(3);
    assertThat(found.getLast())
        .isInstanceOfSatisfying(
            HeadRead.Head.class,
            head -> assertThat(head.bytes()).isEqualTo(headOf(payload(2, 52))));
  }

  @Test
  void entriesBehindTheEndThatWasAskedForWait() {
    orders.append(payload(0, 10));
    StreamEnds ends = ends();
    orders.append(payload(1, 10));

    reader.sync(ends);
    assertThat(rest(reader)).hasSize(1);
    assertThat(all(reader)).hasSize(1);
  }

  @Test
  void tokensThatNoAppendUsedArePassed() {
    orders.append(payload(0, 10));
    dieAppending(orders);
    assertThat(all(reader)).hasSize(1);
    dieAppending(orders);
    orders.append(payload(1, 10));

    assertThat(all(reader)).hasSize(1);
    assertThat(all(heads(0))).hasSize(2);
    assertThat(all(heads(1))).hasSize(1);
  }

  @Test
  void theEndOfAnOlderEpochLeadsToNoEntryOfAnotherStream() {
    orders.append(payload(0, 10));
    assertThat(all(reader)).hasSize(1);
    dieAppending(orders);
    StreamEnds ofOldEpoch = ends();
    cluster.changeEpoch(writer);
    bills.append(payload(1, 10));

    reader.sync(ofOldEpoch);
    assertThat(rest(reader)).isEmpty();
    orders.append(payload(2, 10));
    assertThat(all(reader)).hasSize(1);
  }

  @Test
  void aTrimmedPartIsReportedOnce() {
    for (int i = 0; i < 4; i++) {
      orders.append(payload(i, 10));
    }
    orders.trim(new StreamAddress(2));

    assertThat(all(reader)).hasSize(3).startsWith(new HeadRead.Trimmed(new StreamAddress(2)));
    orders.append(payload(4, 10));
    assertThat(all(reader)).hasSize(1);
  }

  @Test
  void aSingleTrimmedEntryIsReportedInItsPlace() {
    orders.append(payload(0, 10));
    var gone = orders.append(payload(1, 10));
    orders.append(payload(2, 10));
    writer.log().trim(gone.address());

    List<HeadRead> found = all(reader);
    assertThat(found).hasSize(3);
    assertThat(found.get(1)).isEqualTo(new HeadRead.Trimmed(new StreamAddress(2)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void headsAreThoseOfAllEntriesWhateverHappened(long seed) {
    Random random = new Random(seed);
    List<HeadRead> played = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      switch (random.nextInt(12)) {
        case 0 -> dieAppending(random.nextBoolean() ? orders : bills);
        case 1 -> cluster.changeEpoch(writer);
        case 2 -> bills.append(payload(i, 10));
        case 3, 4 -> played.addAll(all(reader));
        default -> orders.append(payload(i, 1 + random.nextInt(40_000)));
      }
    }
    played.addAll(all(reader));

    StreamReader whole = orders.reader();
    whole.sync();
    List<HeadRead> expected = new ArrayList<>();
    for (StreamRead.Entry entry : whole.readRest()) {
      byte[] payload = entry.toBytes();
      expected.add(
          new HeadRead.Head(
              entry.streamAddress(), entry.address(), payload.length, headOf(payload)));
    }
    assertThat(played).isEqualTo(expected);
    assertThat(all(heads(0))).isEqualTo(expected);
  }
}
