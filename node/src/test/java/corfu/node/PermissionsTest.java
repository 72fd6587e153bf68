package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.gate.TrustedIdentities;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that enforce the permissions from the log. */
@Timeout(120)
final class PermissionsTest {

  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity ALICE = new Identity("spiffe://test/alice");
  private static final Identity BOB = new Identity("spiffe://test/bob");

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(4)
          .spares(1)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
          .access("spiffe://test/admin")
          .start();
  private final Corfu admin = cluster.connect(ADMIN);
  private final Transport asAdmin = cluster.transportOf(ADMIN);
  private final Transport asAlice = cluster.transportOf(ALICE);
  private final Transport asBob = cluster.transportOf(BOB);

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Changes the policy, and returns the version with the change. */
  private long change(PolicyCommand command) {
    LogStream policy = Streams.over(admin).open(StreamNames.POLICY);
    return policy.append(PolicyCodec.encode(new PolicyChange(ADMIN, command))).address().value()
        + 1;
  }

  private static Grant grant(Identity who, Permission permission, String stream) {
    return new Grant(new Subject.Exact(who), permission, new Target.Named(stream));
  }

  private void give(Grant... grants) {
    for (Grant grant : grants) {
      awaitEverywhere(change(new PolicyCommand.Give(grant)));
    }
  }

  private void awaitEverywhere(long version) {
    admin.layout().servers().forEach(server -> await(server, version));
  }

  private void await(Endpoint server, long version) {
    eventually(
        () ->
            assertThat(ask(asAdmin, server, new NodeRequest.AskAccess()))
                .isInstanceOfSatisfying(
                    NodeReply.Access.class,
                    access -> {
                      assertThat(access.isEnforced()).isTrue();
                      assertThat(access.version()).isGreaterThanOrEqualTo(version);
                      assertThat(access.ageMillis()).isNotEqualTo(NodeReply.Access.NEVER);
                    }));
  }

  private static Reply ask(Transport way, Endpoint server, Request request) {
    return way.peer(server).call(request, PATIENCE_NANOS);
  }

  private Reply read(Transport way, Endpoint server, Address address) {
    return ask(
        way,
        server,
        new LogUnitRequest.Read(admin.layout().epoch(), AddressSet.of(address.value()), 1 << 20));
  }

  private static boolean shows(Reply reply) {
    return reply instanceof LogUnitReply.Reads(List<ReadOutcome> outcomes)
        && outcomes.stream()
            .anyMatch(
                outcome ->
                    outcome instanceof ReadOutcome.Found
                        || outcome instanceof ReadOutcome.Unconfirmed);
  }

  private List<Endpoint> replicasOf(Address address) {
    return admin.layout().chainOf(address.value()).replicas();
  }

  @Test
  void aClientUsesTheStreamsOfItsGrantsAndNoOthers() {
    give(
        grant(ALICE, Permission.APPEND, "orders"),
        grant(ALICE, Permission.READ, "orders"),
        grant(BOB, Permission.READ, "letters"));
    LogStream orders = Streams.over(cluster.connect(ALICE)).open("orders");

    Address address = orders.append("one book".getBytes(UTF_8)).address();

    var reader = orders.reader();
    reader.sync();
    assertThat(reader.readRest()).extracting(StreamRead.Entry::text).containsExactly("one book");
    for (Endpoint replica : replicasOf(address)) {
      assertThat(shows(read(asAlice, replica, address))).isTrue();
      assertThat(shows(read(asBob, replica, address))).isFalse();
    }
    Endpoint sequencer = admin.layout().sequencers().getFirst();
    assertThat(ask(asAlice, sequencer, new SequencerRequest.Next(admin.layout().epoch(), 1)))
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            failure -> assertThat(failure.permission()).isEqualTo(Permission.APPEND_LOG));
  }

  @Test
  void aStrangerIsRefusedByEveryServer() {
    give(grant(ALICE, Permission.READ, "orders"));

    for (Endpoint server : admin.layout().servers()) {
      assertThat(ask(asBob, server, new NodeRequest.AskStatus()))
          .isInstanceOf(Failure.Forbidden.class);
      assertThat(ask(asBob, server, new NodeRequest.AskAccess()))
          .isInstanceOf(Failure.Forbidden.class);
    }
  }

  @Test
  void aRevokedRightIsGoneOnAllServersEvenWhileOneIsDownAndAnotherTakesItsPlace() {
    give(grant(ALICE, Permission.APPEND, "orders"), grant(ALICE, Permission.READ, "orders"));
    Address address =
        Streams.over(cluster.connect(ALICE)).open("orders").append("x".getBytes(UTF_8)).address();
    Endpoint dead = replicasOf(address).getLast();
    cluster.kill(cluster.nameOf(dead));

    long version = change(new PolicyCommand.Revoke(grant(ALICE, Permission.READ, "orders")));
    List<Endpoint> living =
        admin.layout().servers().stream().filter(server -> !server.equals(dead)).toList();
    living.forEach(server -> await(server, version));

    for (Endpoint server : living) {
      assertThat(shows(read(asAlice, server, address))).isFalse();
    }
    eventually(
        () -> {
          admin.servers(); // asks for the newest layout, too
          assertThat(replicasOf(address)).hasSize(2).doesNotContain(dead);
        });
    for (Endpoint replica : replicasOf(address)) {
      assertThat(shows(read(asAlice, replica, address))).isFalse();
      assertThat(shows(read(asAdmin, replica, address))).isTrue();
    }
  }

  @Test
  void aRestartedServerServesNoClientBeforeItHasReadThePolicy() {
    give(grant(ALICE, Permission.APPEND, "orders"), grant(ALICE, Permission.READ, "orders"));
    Address address =
        Streams.over(cluster.connect(ALICE)).open("orders").append("x".getBytes(UTF_8)).address();
    Endpoint restarted = replicasOf(address).getLast();
    String name = cluster.nameOf(restarted);
    long version = change(new PolicyCommand.Revoke(grant(ALICE, Permission.READ, "orders")));

    cluster.kill(name);
    cluster.restart(name);

    for (int i = 0; i < 1_000; i++) {
      assertThat(shows(read(asAlice, restarted, address))).isFalse();
    }
    await(restarted, version);
    assertThat(ask(asAlice, restarted, new NodeRequest.AskStatus()))
        .isInstanceOf(NodeReply.Status.class);
  }

  @Test
  void aServerSettlesAnAddressForAClientThatMayNotFillIt() {
    give(grant(ALICE, Permission.READ, "orders"));
    Endpoint sequencer = admin.layout().sequencers().getFirst();
    Reply tokens = ask(asAdmin, sequencer, new SequencerRequest.Next(admin.layout().epoch(), 3));
    assertThat(tokens).isInstanceOf(SequencerReply.Tokens.class);
    long first = ((SequencerReply.Tokens) tokens).first();

    Reply settled =
        ask(
            asAlice,
            admin.layout().sequencers().getLast(),
            new NodeRequest.Settle(new AddressSet.Strided(first, 1, 3)));

    assertThat(settled).isEqualTo(Reply.Done.DONE);
    for (long address = first; address < first + 3; address++) {
      for (Endpoint replica : replicasOf(new Address(address))) {
        assertThat(read(asAlice, replica, new Address(address)))
            .isInstanceOfSatisfying(
                LogUnitReply.Reads.class,
                reads ->
                    assertThat(reads.outcomes())
                        .noneMatch(ReadOutcome.Unwritten.class::isInstance));
      }
      assertThat(admin.log().read(new Address(address)))
          .isNotInstanceOfAny(LogEntry.Unwritten.class, LogEntry.Data.class);
    }
  }

  @Test
  void aServerLooksUpTheEndsOfStreamsForAClientThatMayReadThem() {
    give(grant(ALICE, Permission.READ, "orders"));
    Endpoint server = admin.layout().sequencers().getLast();

    Reply orders =
        ask(asAlice, server, new NodeRequest.SettleStreams(List.of(StreamId.named("orders"))));
    Reply letters =
        ask(asAlice, server, new NodeRequest.SettleStreams(List.of(StreamId.named("letters"))));

    assertThat(orders).isEqualTo(Reply.Done.DONE);
    assertThat(letters).isInstanceOf(Failure.Forbidden.class);
  }

  @Test
  void aLayoutOfAClientIsAHintAndNotInstalled() {
    give(grant(ALICE, Permission.READ, "orders"));
    Endpoint unit = admin.layout().chainOf(0).replicas().getFirst();

    assertThat(ask(asAlice, unit, new LogUnitRequest.Install(admin.layout())))
        .isInstanceOf(Failure.NotServing.class);
  }

  @Test
  void aServerWithoutTlsRefusesToStartWithPermissions(@TempDir Path home) {
    ClusterConfig config =
        ClusterConfig.local(home, 9001, 1, 1, UnitMode.DURABLE)
            .withAccess(
                new TrustedIdentities(List.of(Subject.parse("spiffe://test/server")), List.of()));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.start(config, "n1"))
        .withMessageContaining("n1")
        .withMessageContaining("tls = \"required\"");
  }
}
