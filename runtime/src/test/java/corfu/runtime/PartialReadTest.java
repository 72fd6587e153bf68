package corfu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.EntryBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.layout.Chain;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.ReadBlocks;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.runtime.cluster.RoleCluster;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts of entries, as users read them, and the traffic that they cause. */
final class PartialReadTest {

  private static final int LARGE = 3 << 20;

  private final RoleCluster cluster = RoleCluster.builder().nodes(2).replicas(2).start();
  private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();
  private volatile Edit edit = (server, request, reply) -> reply;
  private final Corfu corfu =
      cluster.connect(
          cluster.clientOptions().withHoleTimeout(Duration.ofMillis(20)), EditedTransport::new);
  private final Log log = corfu.log();

  private record Sent(Endpoint server, Request request, int replyBytes) {}

  /** Changes a reply on its way. */
  private interface Edit {
    Reply apply(Endpoint server, Request request, Reply reply);
  }

  private final class EditedTransport implements Transport {
    private final Transport real;

    EditedTransport(Transport real) {
      this.real = real;
    }

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
              .thenApply(
                  reply -> {
                    sent.add(new Sent(endpoint, request, bytesOf(reply)));
                    return edit.apply(endpoint, request, reply);
                  });
        }
      };
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static int bytesOf(Reply reply) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(reply, 0, FrameCodec.NEWEST_VERSION, out);
    return out.finish().remaining();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static byte[] payload(int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(payload);
    return payload;
  }

  private static EntryPart data(Address address, byte[] payload, int offset, int length) {
    int end = Math.min(payload.length, offset + length);
    byte[] part = Arrays.copyOfRange(payload, Math.min(offset, end), end);
    return new EntryPart.Data(
        address, payload.length, Math.min(offset, payload.length), ByteBuffer.wrap(part));
  }

  private List<Sent> readsOf(Class<? extends Request> kind) {
    return sent.stream().filter(one -> kind.isInstance(one.request())).toList();
  }

  private Chain chainOf(Address address) {
    return corfu.layout().chainOf(address.value());
  }

  @Test
  void aPartOfALargeEntryIsReadAtTheCostOfThePart() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);

    assertThat(log.read(address, 1 << 20, 4_096)).isEqualTo(data(address, payload, 1 << 20, 4_096));
    assertThat(readsOf(LogUnitRequest.Read.class)).isEmpty();
    assertThat(readsOf(ReadBlocks.class))
        .singleElement()
        .satisfies(read -> assertThat(read.replyBytes()).isBetween(4_096, 4_096 + 200))
        .satisfies(read -> assertThat(read.server()).isEqualTo(chainOf(address).tail()));
  }

  @Test
  void anyPartOfAnyEntryIsWhatTheWholeEntryHas() {
    SplittableRandom random = new SplittableRandom(3);
    for (int bytes : new int[] {0, 1, 4_096, 16_384, 16_385, 100_000}) {
      byte[] payload = payload(bytes);
      Address address = log.append(payload);
      for (int i = 0; i < 20; i++) {
        int offset = random.nextInt(bytes + 10);
        int length = random.nextInt(1, 50_000);
        assertThat(log.read(address, offset, length))
            .isEqualTo(data(address, payload, offset, length));
      }
      assertThat(log.read(address, Integer.MAX_VALUE, Integer.MAX_VALUE))
          .isEqualTo(data(address, payload, bytes, 0));
    }
  }

  @Test
  void severalPartsShareARequestAndKeepTheirOrder() {
    byte[] first = payload(200_000);
    byte[] second = payload(30);
    Address one = log.append(first);
    Address two = log.append(second);
    Address trimmed = log.append(first);
    log.trim(trimmed);
    List<PayloadRange> ranges = new ArrayList<>();
    List<EntryPart> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ranges.add(new PayloadRange(one.value(), i * 4_096, 100));
      expected.add(data(one, first, i * 4_096, 100));
    }
    ranges.add(new PayloadRange(two.value(), 10, 10));
    expected.add(data(two, second, 10, 10));
    ranges.add(new PayloadRange(trimmed.value(), 0, 1));
    expected.add(new EntryPart.Trimmed(trimmed));
    ranges.add(new PayloadRange(99, 0, 1));
    expected.add(new EntryPart.Unwritten(new Address(99)));

    assertThat(log.readParts(ranges)).isEqualTo(expected);
    assertThat(readsOf(ReadBlocks.class)).hasSizeLessThanOrEqualTo(2);
    assertThat(log.readParts(List.of())).isEmpty();
  }

  @Test
  void moreThanAReplyHoldsIsReadByMoreRequests() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    List<PayloadRange> ranges = new ArrayList<>();
    List<EntryPart> expected = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      ranges.add(new PayloadRange(address.value(), i * 10_000, 40_000));
      expected.add(data(address, payload, i * 10_000, 40_000));
    }

    assertThat(log.readParts(ranges)).isEqualTo(expected);
  }

  @Test
  void asynchronousReadsAreTheSame() {
    byte[] payload = payload(100_000);
    Address address = log.append(payload);
    List<CompletableFuture<EntryPart>> reads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      reads.add(log.readAsync(address, i * 1_000, 1_000));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(reads.get(i).join()).isEqualTo(data(address, payload, i * 1_000, 1_000));
    }
  }

  @Test
  void anImpossibleRangeIsRefused() {
    Address address = log.append(payload(10));

    assertThatIllegalArgumentException().isThrownBy(() -> log.read(address, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> log.read(address, 0, 0));
  }

  @Test
  void aHoleIsAHoleAndAnAbandonedAddressBecomesOne() {
    Address last = log.append(payload(10));
    cluster.connect(cluster.clientOptions(), LosingWrites::new).log().appendAsync(payload(LARGE));
    Address next = new Address(last.value() + 1);
    while (log.tail().value() <= next.value()) {
      Thread.onSpinWait();
    }

    assertThat(log.read(next, 0, 10)).isEqualTo(new EntryPart.Hole(next));
    assertThat(log.read(next, 0, 10)).isEqualTo(new EntryPart.Hole(next));
  }

  /** Sends no write, and never answers one. */
  private record LosingWrites(Transport real) implements Transport {
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
          return request instanceof LogUnitRequest.Write
              ? new CompletableFuture<>()
              : peer.send(request, timeoutNanos);
        }
      };
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static Reply damaged(Reply reply) {
    if (!(reply instanceof LogUnitReply.FoundBlocks found)) {
      return reply;
    }
    return new LogUnitReply.FoundBlocks(
        found.outcomes().stream()
            .map(
                outcome ->
                    outcome instanceof BlocksOutcome.Found(EntryBlocks blocks)
                        ? new BlocksOutcome.Found(flipped(blocks))
                        : outcome)
            .toList());
  }

  private static EntryBlocks flipped(EntryBlocks blocks) {
    byte[] bytes = new byte[blocks.lengthBytes()];
    blocks.bytes().get(bytes);
    bytes[bytes.length - 1] ^= 4;
    return EntryBlocks.wrap(ByteBuffer.wrap(bytes));
  }

  @Test
  void aDamagedBlockIsReadFromAnotherReplica() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    Endpoint tail = chainOf(address).tail();
    edit = (server, request, reply) -> server.equals(tail) ? damaged(reply) : reply;

    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));
    assertThat(readsOf(ReadBlocks.class).stream().map(Sent::server))
        .containsExactly(tail, chainOf(address).head());
    assertThat(readsOf(LogUnitRequest.Read.class)).isEmpty();
  }

  @Test
  void blocksOfAnotherPlaceAreNotBelieved() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    Reply other =
        cluster
            .transport()
            .peer(chainOf(address).tail())
            .send(
                new ReadBlocks(
                    corfu.layout().epoch(),
                    List.of(new PayloadRange(address.value(), 2 << 20, 10)),
                    1 << 20),
                Duration.ofSeconds(10).toNanos())
            .join();
    edit =
        (server, request, reply) ->
            request instanceof ReadBlocks && server.equals(chainOf(address).tail()) ? other : reply;

    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));
  }

  @Test
  void blocksThatAreDamagedEverywhereAreReadWithTheWholeEntry() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    edit = (server, request, reply) -> damaged(reply);

    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));
    assertThat(readsOf(LogUnitRequest.Read.class)).hasSize(1);
  }

  @Test
  void anEntryThatNoReplicaCanReadIsReportedAsCorrupt() {
    Address address = log.append(payload(LARGE));
    edit =
        (server, request, reply) ->
            switch (request) {
              case ReadBlocks read ->
                  new LogUnitReply.FoundBlocks(List.of(new BlocksOutcome.Corrupt("bad disk")));
              case LogUnitRequest.Read read ->
                  new LogUnitReply.Reads(List.of(new ReadOutcome.Corrupt("bad disk")));
              default -> reply;
            };

    assertThatThrownBy(() -> log.read(address, 5_000, 10))
        .isInstanceOfSatisfying(
            CorruptEntryException.class,
            corrupt -> assertThat(corrupt.address()).isEqualTo(address))
        .hasMessageContaining("bad disk");
  }

  @Test
  void aUnitThatDoesNotKnowTheRequestIsAskedForTheWholeEntry() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    edit =
        (server, request, reply) ->
            request instanceof ReadBlocks
                ? new Failure.Refused(Failure.Cause.UNKNOWN_TYPE, "unknown message type")
                : reply;
    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));

    edit =
        (server, request, reply) -> {
          if (request instanceof ReadBlocks) {
            throw new RequestRefusedException(server, "it has no frame");
          }
          return reply;
        };
    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));
    assertThat(readsOf(LogUnitRequest.Read.class)).hasSize(2);
  }

  @Test
  void anotherEpochIsFollowed() {
    byte[] payload = payload(LARGE);
    Address address = log.append(payload);
    cluster.changeEpoch(cluster.connect());

    assertThat(log.read(address, 5_000, 10)).isEqualTo(data(address, payload, 5_000, 10));
  }
}
