package corfu.runtime.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import corfu.access.AccessPolicy;
import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCommand;
import corfu.access.PolicyMachine;
import corfu.access.PolicyOutcome;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.Address;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients of servers that enforce permissions. */
class ClientAccessTest {

  private static final String APP = "spiffe://test/app";
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RoleCluster cluster = RoleCluster.builder().nodes(3).replicas(2).gated().start();
  private final PolicyMachine machine = new PolicyMachine();
  private long changes;

  @AfterEach
  void close() {
    cluster.close();
  }

  private void allow(String... grants) {
    for (String text : grants) {
      change(new PolicyCommand.Give(grant(text)));
    }
    cluster.enforce(machine.policy());
  }

  private void revoke(String text) {
    change(new PolicyCommand.Revoke(grant(text)));
    cluster.enforce(machine.policy());
  }

  private void change(PolicyCommand command) {
    var unused = machine.apply(new PolicyChange(ADMIN, command), changes++);
  }

  private static Grant grant(String text) {
    String[] words = text.split(" ", 2);
    Permission permission = Permission.parse(words[0]);
    Target target = words.length > 1 ? Target.parse(words[1]) : Target.whole(permission);
    return new Grant(Subject.parse(APP), permission, target);
  }

  private Corfu app() {
    return cluster.connectAs(APP, cluster.clientOptions().withHoleTimeout(Duration.ofMillis(50)));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static List<String> texts(LogStream stream) {
    StreamReader reader = stream.reader();
    var unused = reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }

  @Test
  void anAppendWithoutPermissionIsDeniedAndHasNoEffect() {
    allow("read *");
    LogStream orders = Streams.over(app()).open("orders");

    var denied = catchThrowableOfType(AccessDeniedException.class, () -> orders.append(bytes("x")));

    assertThat(denied.permission()).isEqualTo(Permission.APPEND);
    assertThat(denied.stream()).contains(StreamId.named("orders"));
    assertThat(denied)
        .hasMessageContaining(APP)
        .hasMessageContaining("append on stream")
        .hasMessageContaining("127.0.0.1:")
        .hasMessageContaining("corfu access grant");
    assertThat(cluster.connect().log().tail()).isEqualTo(new Address(0));
  }

  @Test
  void aClientIntroducesTheNamesOfItsStreamsToServersThatGrantByPrefix() {
    allow("append orders/*", "read orders/*");
    LogStream orders = Streams.over(app()).open("orders/books");

    var unused = orders.append(bytes("one"));

    assertThat(texts(orders)).containsExactly("one");
  }

  @Test
  void aStreamOpenedByItsIdOnlyGetsNoRightsByItsName() {
    allow("append orders/*");
    LogStream orders = Streams.over(app()).open(StreamId.named("orders/books"));

    assertThatThrownBy(() -> orders.append(bytes("one"))).isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aDeniedAppendDoesNotHarmTheAppendsBesideIt() {
    allow("append good", "read good");
    Streams streams = Streams.over(app());
    LogStream good = streams.open("good");
    LogStream bad = streams.open("bad");

    var first = good.appendAsync(bytes("1"));
    var denied = bad.appendAsync(bytes("2"));
    var last = good.appendAsync(bytes("3"));

    assertThat(first.join()).isNotNull();
    assertThatThrownBy(denied::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(AccessDeniedException.class);
    assertThat(last.join()).isNotNull();
    assertThat(texts(good)).containsExactly("1", "3");
  }

  @Test
  void readsOfEntriesOfOthersAreDeniedAloneAndInRanges() {
    allow("read mine");
    Corfu other = cluster.connect();
    var unused = Streams.over(other).open("theirs").append(bytes("secret"));
    Corfu app = app();

    assertThatThrownBy(() -> app.log().read(new Address(0)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("address 0")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> app.log().read(new Address(0), new Address(1)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aServerFillsTheHolesBeforeATenantsEntries() {
    allow("append mine", "read mine");
    LogStream mine = Streams.over(app()).open("mine");
    Corfu other = cluster.connect();
    var sequencer = other.layout().sequencers().getFirst();
    var unused =
        cluster
            .transport()
            .peer(sequencer)
            .call(new SequencerRequest.Next(other.layout().epoch(), 1), SECOND.toNanos());
    var appended = mine.append(bytes("behind a hole"));

    assertThat(appended.address()).isEqualTo(new Address(1));
    assertThat(texts(mine)).containsExactly("behind a hole");
    assertThat(app().log().read(new Address(0))).isEqualTo(new LogEntry.Hole(new Address(0)));
    assertThatThrownBy(() -> app().log().fill(new Address(0)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aClientThatMayOnlyReadFindsTheEndOfItsStreamInANewEpoch() {
    allow("read news");
    Corfu other = cluster.connect();
    LogStream theirs = Streams.over(other).open("news");
    var unused = theirs.append(bytes("first"));
    var renewed = cluster.changeEpoch(other);

    assertThat(texts(Streams.over(app()).open("news"))).containsExactly("first");
    assertThat(renewed.epoch()).isNotNull();
  }

  @Test
  void aTenantTrimsItsOwnStreamsAndNoOthers() {
    allow("append mine", "read mine", "trim mine");
    Corfu app = app();
    var mine = Streams.over(app).open("mine").append(bytes("old"));
    var theirs = Streams.over(cluster.connect()).open("theirs").append(bytes("kept"));

    app.log().trim(mine.address());

    assertThat(app.log().read(mine.address())).isEqualTo(new LogEntry.Trimmed(mine.address()));
    assertThatThrownBy(() -> app.log().trim(theirs.address()))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aSubscriptionEndsWhenItsPermissionIsRevoked() {
    allow("read news");
    CompletableFuture<String> heard = new CompletableFuture<>();
    CompletableFuture<RuntimeException> ended = new CompletableFuture<>();
    Subscriber subscriber =
        new Subscriber() {
          @Override
          public void onEntry(StreamRead.Entry entry) {
            heard.complete(entry.text());
          }

          @Override
          public void onError(RuntimeException failure) {
            ended.complete(failure);
          }
        };
    LogStream news = Streams.over(cluster.connect()).open("news");
    Corfu app = app();
    try (var subscription =
        Streams.over(app).open("news").subscribe(StreamAddress.ZERO, subscriber)) {
      var first = news.append(bytes("one"));
      assertThat(heard.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("one");

      revoke("read news");
      var second = news.append(bytes("two"));
      assertThat(ended.orTimeout(20, TimeUnit.SECONDS).join())
          .isInstanceOf(AccessDeniedException.class);
      assertThat(first.address()).isLessThan(second.address());
      assertThat(subscription).isNotNull();
    }
  }

  /** After a start, a server reads the policy before it serves. */
  @Test
  void aClientConnectsAsSoonAsTheServersKnowThePolicy() {
    CompletableFuture<Corfu> connected = CompletableFuture.supplyAsync(this::app);
    allow("read news");

    assertThat(connected.orTimeout(20, TimeUnit.SECONDS).join().layout().servers()).hasSize(3);
  }

  @Test
  void aClientThatTheServersDoNotServeYetGivesUpAtItsDeadline() {
    Duration patience = Duration.ofMillis(300);
    long before = System.nanoTime();

    assertThatThrownBy(
            () -> cluster.connectAs(APP, cluster.clientOptions().withOperationTimeout(patience)))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("has not read the permissions from the log yet");
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(patience.toNanos());
  }

  @Test
  void administratorsChangeThePolicyAndLearnWhichServersEnforceIt() {
    allow();
    AccessControl control = AccessControl.over(cluster.connect(), ADMIN);
    Grant grant = new Grant(Subject.parse(APP), Permission.APPEND, Target.parse("orders/*"));

    assertThat(control.grant(grant)).isInstanceOf(PolicyOutcome.Changed.class);
    assertThat(control.grant(grant)).isInstanceOf(PolicyOutcome.Unchanged.class);
    AccessPolicy policy = control.policy();
    assertThat(policy.grants()).containsExactly(grant);
    assertThat(control.awaitEnforced(Duration.ofMillis(1))).hasSize(3);

    cluster.enforce(policy);
    assertThat(control.awaitEnforced(SECOND)).isEmpty();
    Identity app = new Identity(APP);
    assertThat(control.check(app, Permission.APPEND, Target.parse("orders/books")).isAllowed())
        .isTrue();
    assertThat(control.check(app, Permission.APPEND, Target.parse("other")).isAllowed()).isFalse();
    assertThatThrownBy(() -> control.check(app, Permission.APPEND, Target.parse("orders/*")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(control.revoke(grant)).isInstanceOf(PolicyOutcome.Changed.class);
    assertThat(AccessControl.over(cluster.connect(), ADMIN).policy().grants()).isEmpty();
  }

  @Test
  void tenantsMayNotChangeThePolicy() {
    allow("append *", "read *");
    AccessControl control = AccessControl.over(app(), new Identity(APP));
    Grant grant = Grant.of(Subject.parse(APP), Permission.ADMINISTER);

    assertThatThrownBy(() -> control.grant(grant)).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(control::policy).isInstanceOf(AccessDeniedException.class);
  }
}
