package corfu.access.gate;

import static corfu.access.gate.GatedServer.EPOCH;
import static corfu.access.gate.GatedServer.SERVER;
import static corfu.access.gate.GatedServer.entry;
import static corfu.access.gate.GatedServer.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.AccessRole;
import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditTrail;
import corfu.access.quota.QuotaLedger;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The gate itself: names of streams, changes of the policy, trusted identities, the audit log. */
class AccessGateTest {

  private final GatedServer server = new GatedServer();

  private static SequencerRequest tokenIn(String stream) {
    return tokenIn(StreamId.named(stream));
  }

  private static SequencerRequest tokenIn(StreamId stream) {
    return new SequencerRequest.NextInStreams(
        EPOCH, List.of(TokenWish.in(List.of(stream))), List.of());
  }

  private void served(String name, SequencerRequest request) {
    assertThat(server.as(name, request)).isInstanceOf(SequencerReply.StreamTokens.class);
  }

  private void refused(String name, SequencerRequest request) {
    assertThat(server.as(name, request)).isInstanceOf(Failure.Forbidden.class);
  }

  // -------------------------------------------------------------------------------------- names

  @Test
  void aGrantByPrefixCountsForIntroducedNames() {
    server.allow("a append orders.*");
    refused("a", tokenIn("orders.1"));
    server.as("a", new NodeRequest.Introduce(List.of("orders.1", "users.1")));
    served("a", tokenIn("orders.1"));
    refused("a", tokenIn("orders.2"));
    refused("a", tokenIn("users.1"));
  }

  @Test
  void aNameIntroducedByAnotherIdentityDoesNotCount() {
    server.allow("a append orders.*", "b append orders.*");
    server.as("b", new NodeRequest.Introduce(List.of("orders.1")));
    refused("a", tokenIn("orders.1"));
  }

  @Test
  void grantsByNameAndByIdNeedNoIntroduction() {
    StreamId drawn = StreamId.parse("3f2a9c00-0000-4000-8000-000000000001");
    server.allow("a append orders", "a append id:3f2a9c00/32", "b append id:" + drawn);
    served("a", tokenIn("orders"));
    served("a", tokenIn(drawn));
    served("b", tokenIn(drawn));
    refused("a", tokenIn(StreamId.parse("3f2a9c01-0000-4000-8000-000000000001")));
    refused("b", tokenIn("orders"));
  }

  @Test
  void theCheckpointsOfAnObjectBelongToIt() {
    server.allow("a append orders.*");
    String checkpoints = "corfu.objects/checkpoints/" + StreamId.named("orders.1");
    String parts = StreamId.named("orders.1") + "/map";
    String ofPart = "corfu.objects/checkpoints/" + StreamId.named(parts);
    String ofOthers = "corfu.objects/checkpoints/" + StreamId.named("users.1");
    server.as(
        "a", new NodeRequest.Introduce(List.of("orders.1", checkpoints, parts, ofPart, ofOthers)));
    served("a", tokenIn(checkpoints));
    served("a", tokenIn(parts));
    served("a", tokenIn(ofPart));
    refused("a", tokenIn(ofOthers));
  }

  @Test
  void rememberedNamesAreBounded() {
    server.allow("a append orders.*");
    for (int i = 0; i < 6; i++) {
      List<String> names = new ArrayList<>();
      for (int j = 0; j < NodeRequest.Introduce.MOST_NAMES; j++) {
        names.add("orders." + i + "/" + j);
      }
      server.as("a", new NodeRequest.Introduce(names));
    }
    refused("a", tokenIn("orders.0/0"));
    served("a", tokenIn("orders.5/1023"));
    server.as("a", new NodeRequest.Introduce(List.of("orders.0/0")));
    served("a", tokenIn("orders.0/0"));
  }

  @Test
  void theNamesOfAllIdentitiesAreBoundedTogether() {
    GateOptions small = new GateOptions(GateOptions.DEFAULT.limits(), 4, 20);
    server.allow("a read orders.*", "b read orders.*");
    IdentitySessions sessions =
        new IdentitySessions(
            new TrustedIdentities(List.of(), List.of()),
            small,
            new QuotaLedger(LocalEntries.NONE, () -> 0, 2, identity -> false),
            () -> 7);
    sessions.use(Optional.of(server.machine.policy()));
    StreamId stream = StreamId.named("orders.123456");
    IdentitySession a = sessions.of(identity("a"));
    sessions.introduce(a, List.of("orders.123456"));
    assertThat(a.may(Permission.READ, stream)).isTrue();

    IdentitySession b = sessions.of(identity("b"));
    sessions.introduce(b, List.of("orders.123456"));
    assertThat(a.may(Permission.READ, stream)).isFalse();
    assertThat(b.may(Permission.READ, stream)).isTrue();
    for (int i = 0; i < 10; i++) {
      assertThat(sessions.of(identity("other" + i)).isKnown()).isFalse();
    }
    assertThat(sessions.count()).isEqualTo(4);
  }

  @Test
  void aListAsksForMoreUntilSomethingIsVisible() {
    server.allow("a read mine");
    StreamId mine = StreamId.named("mine");
    List<StreamTail> others = new ArrayList<>();
    AccessGate gate =
        new AccessGate(
            GateOptions.DEFAULT,
            new TrustedIdentities(List.of(), List.of()),
            Surroundings.of(server.world::nanoTime, () -> 7),
            server.audit,
            (request, origin, reply) -> {
              var list = (LogUnitRequest.ListStreams) request;
              boolean isFirst = list.after().equals(StreamId.NONE);
              StreamId listed = isFirst ? new StreamId(0, 1) : mine;
              StreamTail tail = new StreamTail(listed, StreamPosition.START);
              others.add(tail);
              reply.accept(new LogUnitReply.Streams(List.of(tail), isFirst));
            });
    gate.enforce(server.machine.policy());
    List<Reply> replies = new ArrayList<>();
    gate.handle(
        new LogUnitRequest.ListStreams(EPOCH, 0, StreamId.NONE),
        new RequestOrigin("x", identity("a")),
        replies::add);
    assertThat(others).hasSize(2);
    assertThat(replies).containsExactly(new LogUnitReply.Streams(List.of(others.getLast()), false));
  }

  // ------------------------------------------------------------------------------------- policy

  @Test
  void aChangeCountsFromItsMomentOn() {
    refused("a", tokenIn("orders"));
    server.allow("a append orders");
    served("a", tokenIn("orders"));
    server.revoke("a append orders");
    refused("a", tokenIn("orders"));
  }

  @Test
  void itTellsWhichPolicyItEnforces() {
    server.allow("a append orders", "watcher observe");
    server.world.passMillis(250);
    assertThat(server.as("watcher", new NodeRequest.AskAccess()))
        .isEqualTo(new NodeReply.Access(2, 250, true));
    server.gate.isNewest();
    assertThat(server.as("watcher", new NodeRequest.AskAccess()))
        .isEqualTo(new NodeReply.Access(2, 0, true));
    server.gate.forgetPolicy();
    assertThat(server.as(SERVER, new NodeRequest.AskAccess()))
        .isEqualTo(new NodeReply.Access(0, NodeReply.Access.NEVER, true));
  }

  @Test
  void rolesPassTheirGrantsToTheirMembers() {
    server.allow("role:writers append orders");
    refused("a", tokenIn("orders"));
    var change =
        new PolicyChange(
            GatedServer.ADMIN,
            new PolicyCommand.SetRole(
                new AccessRole("writers", List.of(Subject.parse("spiffe://prod/a*")))));
    var unused = server.machine.apply(change, 100);
    server.gate.enforce(server.machine.policy());
    served("a", tokenIn("orders"));
    served("a2", tokenIn("orders"));
    refused("b", tokenIn("orders"));
  }

  @Test
  void noPrefixHasTheAnonymous() {
    var everybody =
        new PolicyChange(
            GatedServer.ADMIN,
            new PolicyCommand.Give(
                new Grant(Subject.parse("*"), Permission.APPEND, Target.parse("orders"))));
    var unused = server.machine.apply(everybody, 100);
    server.gate.enforce(server.machine.policy());
    served("a", tokenIn("orders"));
    assertThat(server.as(Identity.ANONYMOUS, tokenIn("orders")))
        .isInstanceOf(Failure.Forbidden.class);
    server.allow("anonymous append orders");
    assertThat(server.as(Identity.ANONYMOUS, tokenIn("orders")))
        .isInstanceOf(SequencerReply.StreamTokens.class);
  }

  @Test
  void anAdministratorMayDoAllButSpeakForAServer() {
    var lease = new LayoutRequest.Renew(EPOCH, GatedServer.ADDRESS, Health.UNKNOWN);
    assertThat(server.as(GatedServer.ADMIN, tokenIn("orders")))
        .isInstanceOf(SequencerReply.StreamTokens.class);
    assertThat(server.as(GatedServer.ADMIN, lease)).isInstanceOf(Failure.Forbidden.class);
    assertThat(server.as(SERVER, lease)).isNotInstanceOf(Failure.class);
  }

  @Test
  void theConfigurationTrustsNoAnonymousAndNotEverybody() {
    assertThatThrownBy(() -> new TrustedIdentities(List.of(Subject.parse("anonymous")), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TrustedIdentities(List.of(), List.of(Subject.parse("*"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // -------------------------------------------------------------------------------------- audit

  @Test
  void theAuditLogHasRefusalsAndPrivilegedActions() {
    server.events.clear();
    refused("a", tokenIn("orders"));
    server.write(entry(0, "orders"));
    server.as(SERVER, new LogUnitRequest.TrimStream(EPOCH, StreamId.named("orders"), 1));

    assertThat(server.events)
        .containsExactly(
            new AuditEvent(
                AuditEvent.Kind.REFUSED,
                identity("a"),
                "10.0.0.7",
                "NextInStreams",
                Optional.of(Permission.APPEND),
                Optional.of(StreamId.named("orders")),
                "",
                1),
            new AuditEvent(
                AuditEvent.Kind.DONE,
                SERVER,
                "10.0.0.7",
                "TrimStream",
                Optional.empty(),
                Optional.of(StreamId.named("orders")),
                "below stream address 1",
                1));
  }

  private Entry policyEntry(long address, Identity author, String grant) {
    ByteBuffer change =
        PolicyCodec.encode(
            new PolicyChange(author, new PolicyCommand.Give(GatedServer.grant(grant))));
    StreamHeader header =
        new StreamHeader(StreamId.named(StreamNames.POLICY), 0, Backpointers.NONE);
    return Entry.data(address, new AppendId(9, address), List.of(header), change);
  }

  private List<String> writes(Identity author, Entry... entries) {
    server.events.clear();
    server.as(author, new LogUnitRequest.Write(EPOCH, List.of(entries)));
    return server.events.stream()
        .map(event -> event.identity() + " " + event.streamText() + " " + event.detail())
        .toList();
  }

  @Test
  void aChangeOfThePolicyHasItsProvenAuthor() {
    Identity admin = GatedServer.ADMIN;
    assertThat(
            writes(
                admin,
                entry(0, "orders"),
                policyEntry(1, admin, "a read x/*"),
                policyEntry(2, identity("innocent"), "a operate"),
                entry(3, StreamNames.POLICY)))
        .containsExactly(
            admin + " corfu/access address 1: grant spiffe://prod/a read x/*",
            admin
                + " corfu/access address 2 as spiffe://prod/innocent: grant spiffe://prod/a"
                + " operate",
            admin + " corfu/access address 3: no change of the policy that this server can read");
    assertThat(writes(admin, policyEntry(2, admin, "a read x/*"))).as("taken").isEmpty();
  }

  @Test
  void onlyServersWriteTheAuditLogUnseen() {
    String stream = StreamNames.AUDIT;
    assertThat(writes(SERVER, entry(0, stream), policyEntry(1, SERVER, "a operate"))).hasSize(1);
    assertThat(writes(GatedServer.ADMIN, entry(2, stream)))
        .containsExactly(GatedServer.ADMIN + " corfu/audit address 2");
  }

  @Test
  void eventsNameStreamsThatGrantsName() {
    server.allow("b read letters");
    server.events.clear();
    refused("a", tokenIn("letters"));
    refused("a", tokenIn("unknown"));

    assertThat(server.events)
        .extracting(AuditEvent::streamText)
        .containsExactly("letters", "id:" + StreamId.named("unknown"));
  }

  @Test
  void aFloodOfRefusalsIsCounted() {
    server.events.clear();
    for (int i = 0; i < 1_000; i++) {
      refused("a", tokenIn("orders"));
    }
    assertThat(server.events).hasSize(1);
    server.audit.flush();
    assertThat(server.events).hasSize(2);
    assertThat(server.events.getLast().count()).isEqualTo(999);
  }

  @Test
  void refusalsOnManyStreamsAreCountedTogether() {
    server.events.clear();
    for (int i = 0; i < 1_000; i++) {
      refused("a", tokenIn("orders." + i));
    }
    refused("b", tokenIn("orders.0"));
    server.world.passMillis(AuditTrail.WINDOW.toMillis());
    refused("b", tokenIn("orders.0"));

    assertThat(server.events.size()).isLessThan(2 * AuditTrail.MOST_OF_ONE);
    assertThat(
            server.events.stream()
                .filter(event -> event.identity().equals(identity("a")))
                .mapToLong(AuditEvent::count)
                .sum())
        .isEqualTo(1_000);
    assertThat(server.events)
        .filteredOn(event -> event.identity().equals(identity("b")))
        .hasSize(2);
  }
}
