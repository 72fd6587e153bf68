package corfu.access.gate;

import static corfu.access.gate.GatedServer.EPOCH;
import static corfu.access.gate.GatedServer.SERVER;
import static corfu.access.gate.GatedServer.entry;
import static corfu.access.gate.GatedServer.identity;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.access.Quota;
import corfu.access.quota.QuotaTotals;
import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.QuotaUse;
import corfu.protocol.message.Reply;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.TokenWish;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Quotas at the gate, on real roles: each resource, its limit, and the told wait. */
class QuotaGateTest {

  private static final long NO = Quota.NO_LIMIT;
  private static final StreamId A = StreamId.named("a.1");

  private final GatedServer server =
      new GatedServer("a append a.1", "a read a.1", "a append a.2", "a trim a.1", "b append b.1");

  private static SequencerRequest tokens(int count, String stream) {
    TokenWish wish = TokenWish.in(List.of(StreamId.named(stream)));
    return new SequencerRequest.NextInStreams(EPOCH, Collections.nCopies(count, wish), List.of());
  }

  private LogUnitRequest write(long address, int bytes, String stream) {
    return server.sealed(identity("a"), EPOCH, entry(address, bytes, stream));
  }

  private static LogUnitRequest read(long address) {
    return new LogUnitRequest.Read(EPOCH, AddressSet.of(address), 1 << 20);
  }

  private long waitOf(Reply reply) {
    assertThat(reply).isInstanceOf(Failure.OverQuota.class);
    return ((Failure.OverQuota) reply).waitMillis();
  }

  private void issued(Reply reply) {
    assertThat(reply).isInstanceOf(SequencerReply.StreamTokens.class);
  }

  private QuotaUse use() {
    NodeReply.Quotas quotas = (NodeReply.Quotas) server.as(SERVER, new NodeRequest.AskQuotas());
    return quotas.uses().stream()
        .filter(use -> use.identity().equals(identity("a")))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Counts the stored entries, and tells the gate the totals, as a server does every few seconds.
   */
  private void count() {
    int steps = 0;
    while (server.gate.quotas().countSome(1, server.gate::nameFor)) {
      assertThat(++steps).isLessThan(10_000);
    }
    QuotaTotals totals = new QuotaTotals();
    totals.add(server.gate.quotas().report().uses());
    server.gate.quotas().uses(totals.totals());
  }

  // -------------------------------------------------------------------------------------- rates

  @Test
  void appendsASecond() {
    server.limit("a", new Quota(NO, 10, NO, NO, NO, NO));
    issued(server.as("a", tokens(10, "a.1")));
    Reply refusal = server.as("a", tokens(3, "a.1"));
    assertThat(waitOf(refusal)).isEqualTo(300);
    assertThat(((Failure.OverQuota) refusal).reason())
        .isEqualTo("spiffe://prod/a appends 10 entries a second, which its quota allows");
    server.world.passMillis(299);
    assertThat(waitOf(server.as("a", tokens(3, "a.1")))).isEqualTo(1);
    server.world.passMillis(1);
    issued(server.as("a", tokens(3, "a.1")));
    assertThat(waitOf(server.as("a", tokens(1, "a.1")))).isEqualTo(100);
  }

  @Test
  void aRequestLargerThanASecondIsAdmittedAndPaidLater() {
    server.limit("a", new Quota(NO, 10, NO, NO, NO, NO));
    issued(server.as("a", tokens(50, "a.1")));
    assertThat(waitOf(server.as("a", tokens(1, "a.1")))).isEqualTo(4_100);
    server.world.passMillis(4_100);
    issued(server.as("a", tokens(1, "a.1")));
  }

  @Test
  void othersAreNotLimited() {
    server.limit("a", new Quota(NO, 1, NO, NO, NO, NO));
    issued(server.as("a", tokens(1, "a.1")));
    waitOf(server.as("a", tokens(1, "a.1")));
    issued(server.as("b", tokens(100, "b.1")));
    issued(server.as("b", tokens(100, "b.1")));
    issued(server.as(SERVER, tokens(100, "a.1")));
    issued(server.as(GatedServer.ADMIN, tokens(100, "a.1")));
  }

  @Test
  void administratorsAndServersHaveNoQuota() {
    server.limit("admin", new Quota(1, 1, 0, 0, 0, 1));
    server.limit("boss", new Quota(1, 1, 0, 0, 0, 1));
    server.allow("boss administer");
    for (int i = 0; i < 3; i++) {
      issued(server.as("admin", tokens(5, "x")));
      issued(server.as("boss", tokens(5, "x")));
    }
  }

  @Test
  void appendedBytesASecond() {
    int size = entry(0, 1_000, "a.1").lengthBytes();
    server.limit("a", new Quota(2L * size, NO, NO, NO, NO, NO));
    assertThat(server.as("a", write(0, 1_000, "a.1"))).isInstanceOf(LogUnitReply.Writes.class);
    assertThat(server.as("a", write(1, 1_000, "a.1"))).isInstanceOf(LogUnitReply.Writes.class);
    assertThat(waitOf(server.as("a", write(2, 1_000, "a.1")))).isEqualTo(500);
    server.world.passMillis(500);
    assertThat(server.as("a", write(2, 1_000, "a.1"))).isInstanceOf(LogUnitReply.Writes.class);
  }

  @Test
  void readBytesDelayTheNextRead() {
    Entry large = entry(0, 10_000, "a.1");
    server.write(large);
    server.limit("a", new Quota(large.lengthBytes() / 2, NO, NO, NO, NO, NO));
    assertThat(server.as("a", read(0))).isInstanceOf(LogUnitReply.Reads.class);
    assertThat(waitOf(server.as("a", read(0)))).isBetween(1_000L, 1_001L);
    server.world.passMillis(1_001);
    assertThat(server.as("a", read(0))).isInstanceOf(LogUnitReply.Reads.class);
  }

  @Test
  void callsOfHostedViewsAreAppends() {
    server.limit("a", new Quota(NO, 1, NO, NO, NO, NO));
    var call = new ViewRequest.Call(A, 100, ByteBuffer.wrap(new byte[] {GatedServer.READ_CALL}));
    assertThat(server.as("a", call)).isInstanceOf(ViewReply.Answered.class);
    assertThat(waitOf(server.as("a", call))).isEqualTo(1_000);
  }

  @Test
  void aNewPolicyKeepsWhatWasUsed() {
    server.limit("a", new Quota(NO, 10, NO, NO, NO, NO));
    issued(server.as("a", tokens(10, "a.1")));
    server.allow("c read c.1");
    waitOf(server.as("a", tokens(1, "a.1")));
    server.limit("a", Quota.UNLIMITED);
    issued(server.as("a", tokens(100, "a.1")));
  }

  // ------------------------------------------------------------------------------------ storage

  @Test
  void storedBytes() {
    int size = entry(0, 1_000, "a.1").lengthBytes();
    server.limit("a", new Quota(NO, NO, NO, 3L * size, NO, NO));
    for (int i = 0; i < 3; i++) {
      issued(server.as("a", tokens(1, "a.1")));
      server.as("a", write(i, 1_000, "a.1"));
    }
    server.write(entry(3, 50_000, "b.1"));
    count();
    assertThat(use().storedBytes()).isEqualTo(3L * size);
    assertThat(use().streams()).isEqualTo(1);
    assertThat(waitOf(server.as("a", tokens(1, "a.1")))).isEqualTo(2_000);

    server.as("a", new LogUnitRequest.TrimStream(EPOCH, A, 1));
    count();
    issued(server.as("a", tokens(1, "a.1")));
  }

  @Test
  void entriesOfBeforeCountForTheIdentityThatMayAppendToTheirStream() {
    server.write(entry(0, 1_000, "a.1"), entry(1, 1_000, "b.1"), entry(2, 1_000, "c.1"));
    server.limit("a", new Quota(NO, NO, NO, 1 << 20, NO, NO));
    count();
    assertThat(use().storedBytes()).isEqualTo(entry(0, 1_000, "a.1").lengthBytes());
  }

  @Test
  void trimmedAddressesDoNotCount() {
    IntStream.range(0, 8).forEach(i -> server.write(entry(i, 100, "a.1")));
    server.limit("a", new Quota(NO, NO, NO, 1 << 20, NO, NO));
    server.as(SERVER, new LogUnitRequest.Trim(EPOCH, AddressSet.of(3)));
    server.as(SERVER, new LogUnitRequest.PrefixTrim(EPOCH, 2));
    count();
    assertThat(use().storedBytes()).isEqualTo(5L * entry(0, 100, "a.1").lengthBytes());
  }

  @Test
  void streams() {
    server.limit("a", new Quota(NO, NO, 1, NO, NO, NO));
    issued(server.as("a", tokens(1, "a.1")));
    server.as("a", write(0, 10, "a.1"));
    count();
    issued(server.as("a", tokens(1, "a.1")));
    Reply refusal = server.as("a", tokens(1, "a.2"));
    assertThat(waitOf(refusal)).isEqualTo(2_000);
    assertThat(((Failure.OverQuota) refusal).reason()).contains("has 1 streams");
  }

  // ---------------------------------------------------------------------------------- the others

  @Test
  void subscriptions() {
    server.allow("a read *");
    server.limit("a", new Quota(NO, NO, NO, NO, 3, NO));
    assertThat(follow(1, "x", "y")).isEqualTo(2);
    assertThat(follow(2, "x", "y", "z")).isEqualTo(1);
    assertThat(use().subscriptions()).isEqualTo(3);
    assertThat(follow(3, "x")).isZero();
    server.world.passMillis(LogUnitRequest.Listen.PATIENCE.toMillis() + 1);
    assertThat(follow(3, "x", "y")).isEqualTo(2);
  }

  private int follow(long follower, String... streams) {
    List<StreamId> ids = List.of(streams).stream().map(StreamId::named).toList();
    Reply reply = server.as("a", new LogUnitRequest.Follow(EPOCH, follower, ids, List.of()));
    assertThat(reply).isInstanceOf(LogUnitReply.Following.class);
    return ((LogUnitReply.Following) reply).streams();
  }

  @Test
  void connections() {
    server.limit("a", new Quota(NO, NO, NO, NO, NO, 2));
    RequestOrigin client = new RequestOrigin("10.0.0.9", identity("a"));
    assertThat(server.gate.connected(client)).isEmpty();
    assertThat(server.gate.connected(client)).isEmpty();
    Optional<Failure> third = server.gate.connected(client);
    assertThat(third).containsInstanceOf(Failure.OverQuota.class);
    assertThat(use().connections()).isEqualTo(2);
    server.gate.disconnected(client);
    assertThat(server.gate.connected(client)).isEmpty();
  }

  @Test
  void connectionsOfBeforeTheQuotaCount() {
    RequestOrigin client = new RequestOrigin("10.0.0.9", identity("a"));
    assertThat(server.gate.connected(client)).isEmpty();
    server.limit("a", new Quota(NO, NO, NO, NO, NO, 1));
    assertThat(server.gate.connected(client)).isPresent();
    server.gate.disconnected(client);
    assertThat(server.gate.connected(client)).isEmpty();
  }

  @Test
  void theReportHasTheRatesOfTheLastSecond() {
    server.limit("a", new Quota(NO, 1_000, NO, NO, NO, NO));
    server.world.passMillis(1_000);
    issued(server.as("a", tokens(7, "a.1")));
    assertThat(use().appendsPerSecond()).isZero();
    server.world.passMillis(1_000);
    assertThat(use().appendsPerSecond()).isEqualTo(7);
    server.world.passMillis(2_000);
    assertThat(use().appendsPerSecond()).isZero();
  }
}
