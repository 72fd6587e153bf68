package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.access.AccessControl;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tenant cannot disturb the in-flight appends of another one. */
@Timeout(120)
final class TokenSealsTest {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity ALICE = new Identity("spiffe://test/alice");
  private static final Identity BOB = new Identity("spiffe://test/bob");
  private static final StreamId ORDERS = StreamId.named("orders");
  private static final StreamId LETTERS = StreamId.named("letters");

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(3)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
          .access("spiffe://test/admin")
          .start();
  private final Corfu admin = cluster.connect(ADMIN);
  private final Transport asAdmin = cluster.transportOf(ADMIN);
  private final Transport asAlice = cluster.transportOf(ALICE);
  private final Transport asBob = cluster.transportOf(BOB);

  TokenSealsTest() {
    AccessControl control = AccessControl.over(admin, ADMIN);
    for (Permission permission : List.of(Permission.APPEND, Permission.READ)) {
      control.grant(grant(ALICE, permission, "orders"));
      control.grant(grant(BOB, permission, "letters"));
      control.grant(grant(BOB, permission, "orders"));
    }
    control.grant(Grant.of(new Subject.Exact(BOB), Permission.APPEND_LOG));
    assertThat(control.awaitEnforced(Duration.ofSeconds(20))).isEmpty();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Grant grant(Identity who, Permission permission, String stream) {
    return new Grant(new Subject.Exact(who), permission, new Target.Named(stream));
  }

  private static Reply ask(Transport way, Endpoint server, Request request) {
    return way.peer(server).call(request, PATIENCE_NANOS);
  }

  /** A token in a stream, as a client holds it between two requests. */
  private record Token(Epoch epoch, long address, StreamHeader header, TokenSeal seal) {

    Entry entry(StreamHeader in, AppendId id, String text) {
      return Entry.data(address, id, List.of(in), ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    LogUnitRequest.Write write(Entry entry) {
      return new LogUnitRequest.Write(epoch, List.of(entry), List.of(seal));
    }
  }

  private Token token(Transport way, StreamId stream) {
    Layout layout = admin.layout();
    var wish =
        new SequencerRequest.NextInStreams(
            layout.epoch(), List.of(TokenWish.in(List.of(stream))), List.of());
    Reply reply = ask(way, layout.sequencers().getFirst(), wish);
    assertThat(reply).isInstanceOf(SequencerReply.StreamTokens.class);
    var tokens = (SequencerReply.StreamTokens) reply;
    assertThat(tokens.outcomes()).first().isInstanceOf(TokenOutcome.Issued.class);
    var issued = (TokenOutcome.Issued) tokens.outcomes().getFirst();
    return new Token(
        layout.epoch(),
        issued.address(),
        new StreamHeader(
            stream,
            issued.places().getFirst().streamAddress(),
            issued.places().getFirst().previous()),
        tokens.seal().orElseThrow());
  }

  private List<Endpoint> replicasOf(long address) {
    return admin.layout().chainOf(address).replicas();
  }

  private static List<String> texts(LogStream stream) {
    var reader = stream.reader();
    var unused = reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }

  @Test
  void nobodyWritesToTheAddressOfATokenOfAnotherTenant() {
    Token alices = token(asAlice, ORDERS);
    Token bobs = token(asBob, LETTERS);
    AppendId id = new AppendId(7, 1);
    StreamHeader letters = new StreamHeader(LETTERS, 0, Backpointers.NONE);
    List<Entry> attacks =
        List.of(
            alices.entry(letters, new AppendId(8, 1), "mine"),
            alices.entry(letters, id, "with the append id of Alice"),
            alices.entry(alices.header, id, "in her stream, too"),
            Entry.hole(alices.address, new AppendId(8, 2)));

    for (Endpoint replica : replicasOf(alices.address).reversed()) {
      for (Entry attack : attacks) {
        for (LogUnitRequest write :
            List.of(
                new LogUnitRequest.Write(alices.epoch, List.of(attack)),
                alices.write(attack),
                bobs.write(attack))) {
          assertThat(ask(asBob, replica, write))
              .isInstanceOfSatisfying(
                  Failure.Forbidden.class,
                  refused -> assertThat(refused.permission()).isEqualTo(Permission.OPERATE));
        }
      }
      assertThat(
              ask(
                  asAdmin,
                  replica,
                  new LogUnitRequest.Inspect(alices.epoch, AddressSet.of(alices.address))))
          .isEqualTo(new LogUnitReply.States(List.of(AddressState.UNWRITTEN)));
    }

    Entry order = alices.entry(alices.header, id, "one book");
    for (Endpoint replica : replicasOf(alices.address)) {
      assertThat(ask(asAlice, replica, alices.write(order)))
          .isEqualTo(new LogUnitReply.Writes(List.of(WriteOutcome.Written.WRITTEN)));
    }
    assertThat(texts(Streams.over(cluster.connect(ALICE)).open("orders")))
        .containsExactly("one book");
  }

  @Test
  void aTokenOfAnEarlierEpochIsOfNoUse() {
    Token old = token(asAlice, ORDERS);
    Layout renewed =
        new Reconfiguration(cluster.world(), asAdmin, Duration.ofSeconds(5), Duration.ofSeconds(5))
            .renew(admin.layout());
    eventually(
        () -> {
          admin.servers(); // asks for the newest layout, too
          assertThat(admin.layout().epoch()).isGreaterThanOrEqualTo(renewed.epoch());
        });

    Entry late = old.entry(old.header, new AppendId(7, 1), "late");
    for (Endpoint replica : replicasOf(old.address)) {
      assertThat(ask(asAlice, replica, old.write(late))).isInstanceOf(Failure.Sealed.class);
      eventually(
          () ->
              assertThat(
                      ask(
                          asAlice,
                          replica,
                          new LogUnitRequest.Write(
                              admin.layout().epoch(), List.of(late), List.of(old.seal))))
                  .isInstanceOf(Failure.Forbidden.class));
    }
  }

  @Test
  void appendsContinueWhenTheSequencerDies() {
    LogStream orders = Streams.over(cluster.connect(ALICE)).open("orders");
    List<CompletableFuture<?>> inFlight = new ArrayList<>();
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (i == 100) {
        cluster.kill(cluster.nameOf(admin.layout().sequencers().getFirst()));
      }
      written.add("order " + i);
      inFlight.add(orders.appendAsync(ByteBuffer.wrap(written.getLast().getBytes(UTF_8))));
    }
    inFlight.forEach(CompletableFuture::join);

    assertThat(texts(orders)).containsExactlyInAnyOrderElementsOf(written);
  }

  @Test
  void aServerFillsAnAddressForATenantThatMayFillButHasNotTheToken() {
    Token abandoned = token(asAlice, ORDERS);
    Address address = new Address(abandoned.address);
    Corfu bob = cluster.connect(BOB);
    Corfu alice = cluster.connect(ALICE);

    assertThatExceptionOfType(AccessDeniedException.class)
        .isThrownBy(() -> alice.log().fill(address));
    assertThat(bob.log().fill(address)).isEqualTo(new LogEntry.Hole(address));
    assertThat(admin.log().read(address)).isEqualTo(new LogEntry.Hole(address));
  }

  @Test
  void noClientGetsTheKey() {
    for (Endpoint server : admin.layout().servers()) {
      for (Transport way : List.of(asAdmin, asAlice)) {
        assertThat(ask(way, server, new NodeRequest.AskTokenKey()))
            .isInstanceOf(Failure.Forbidden.class)
            .isNotInstanceOf(NodeReply.SealingKey.class);
      }
    }
  }
}
