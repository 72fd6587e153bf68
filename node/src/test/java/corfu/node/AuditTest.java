package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.audit.AuditAnchor;
import corfu.access.audit.AuditBreak;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditTrail;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamAddress;
import corfu.protocol.message.Failure;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.access.AuditLog;
import corfu.runtime.access.AuditLogEvent;
import corfu.runtime.access.AuditVerification;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of servers that enforce permissions. */
@Timeout(120)
final class AuditTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity OTHER_ADMIN = new Identity("spiffe://test/admin2");
  private static final Identity ALICE = new Identity("spiffe://test/alice");
  private static final Identity BOB = new Identity("spiffe://test/bob");

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(3)
          .replicas(2)
          .access("spiffe://test/admin", "spiffe://test/admin2")
          .start();
  private final Corfu admin = cluster.connect(ADMIN);
  private final AuditLog audit = AuditLog.over(admin);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Grant grant(Identity who, Permission permission, String stream) {
    return new Grant(new Subject.Exact(who), permission, new Target.Named(stream));
  }

  private void give(Grant... grants) {
    AccessControl control = AccessControl.over(admin, ADMIN);
    for (Grant grant : grants) {
      control.grant(grant);
    }
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
  }

  private List<AuditLogEvent> all() {
    return audit.newest(Integer.MAX_VALUE, event -> true, audit.end());
  }

  private void awaitEvent(String what, Predicate<AuditEvent> wanted) {
    eventually(() -> assertThat(all()).as(what).extracting(AuditLogEvent::event).anyMatch(wanted));
  }

  private static boolean isRefused(AuditEvent event, Identity who, Permission what) {
    return event.kind() == AuditEvent.Kind.REFUSED
        && event.identity().equals(who)
        && event.permission().equals(Optional.of(what));
  }

  private static boolean isDone(AuditEvent event, Identity who, String action) {
    return event.kind() == AuditEvent.Kind.DONE
        && event.identity().equals(who)
        && event.action().equals(action);
  }

  private void assertWhole() {
    AuditVerification verified = audit.verify(Optional.empty());
    assertThat(verified.breaks()).isEmpty();
    assertThat(verified.newest()).isPresent();
  }

  @Test
  void itTellsWhoWasRefusedTrimmedAndChangedPermissionsAndLayouts() {
    give(
        grant(ALICE, Permission.APPEND, "orders"),
        grant(ALICE, Permission.READ, "orders"),
        grant(ALICE, Permission.TRIM, "orders"),
        grant(BOB, Permission.READ, "letters"));
    LogStream orders = Streams.over(cluster.connect(ALICE)).open("orders");
    orders.append("one book".getBytes(UTF_8));
    orders.append("one lamp".getBytes(UTF_8));
    orders.trim(new StreamAddress(1));
    Corfu bob = cluster.connect(BOB);
    assertThatThrownBy(() -> bob.log().append(new byte[1]))
        .isInstanceOf(AccessDeniedException.class);
    LogStream asBob = Streams.over(bob).open("orders");
    assertThatThrownBy(() -> asBob.append(new byte[1])).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(asBob::tail).isInstanceOf(AccessDeniedException.class);

    awaitEvent("an append", event -> isRefused(event, BOB, Permission.APPEND));
    awaitEvent("an append to the log", event -> isRefused(event, BOB, Permission.APPEND_LOG));
    awaitEvent("a read", event -> isRefused(event, BOB, Permission.READ));
    awaitEvent("a trim", event -> isDone(event, ALICE, "TrimStream") && !event.origin().isEmpty());
    awaitEvent(
        "a grant",
        event ->
            isDone(event, ADMIN, "Write")
                && event.streamName().equals(StreamNames.POLICY)
                && event.detail().endsWith(": grant spiffe://test/alice trim orders"));
    awaitEvent("a layout", event -> event.action().equals("Accept"));
    assertWhole();
  }

  @Test
  void itTellsWhoChangedTheLayoutAndTrimmedTheLog() {
    Reconfiguration asAdmin =
        new Reconfiguration(
            cluster.world(), cluster.transportOf(ADMIN), Duration.ofSeconds(1), PATIENCE);
    var renewed = asAdmin.renew(admin.layout());
    Address address = admin.log().append(new byte[1]);
    admin.log().prefixTrim(address);

    awaitEvent(
        "a layout",
        event ->
            isDone(event, ADMIN, "Accept") && event.detail().equals("epoch " + renewed.epoch()));
    awaitEvent(
        "a trim",
        event ->
            isDone(event, ADMIN, "PrefixTrim")
                && event.detail().equals("below address " + address));
    assertWhole();
  }

  @Test
  void aFloodOfRefusalsStaysSmallAndIsCounted() {
    give(grant(BOB, Permission.READ, "letters"));
    Transport asBob = cluster.transportOf(BOB);
    Endpoint server = admin.layout().sequencers().getFirst();
    var refused = new SequencerRequest.Next(admin.layout().epoch(), 1);
    int count = 2_000;
    for (int i = 0; i < count; i++) {
      assertThat(asBob.peer(server).call(refused, PATIENCE.toNanos()))
          .isInstanceOf(Failure.Forbidden.class);
    }

    eventually(
        AuditTrail.WINDOW.multipliedBy(2),
        () -> assertThat(ofBob().stream().mapToLong(AuditEvent::count).sum()).isEqualTo(count));
    assertThat(ofBob()).hasSizeLessThan(8);
  }

  private List<AuditEvent> ofBob() {
    return all().stream()
        .map(AuditLogEvent::event)
        .filter(event -> isRefused(event, BOB, Permission.APPEND_LOG))
        .toList();
  }

  @Test
  void restartedServersContinueTheChain(@TempDir Path directory) {
    AuditAnchor before;
    try (EmbeddedCluster durable = durable(directory)) {
      AuditLog log = AuditLog.over(durable.connect(ADMIN));
      before =
          eventually(
                  () -> log.verify(Optional.empty()),
                  known -> assertThat(known.records()).isGreaterThan(2))
              .newest()
              .orElseThrow();
    }
    try (EmbeddedCluster durable = durable(directory)) {
      Corfu connected = durable.connect(ADMIN);
      AccessControl.over(connected, ADMIN).grant(grant(BOB, Permission.READ, "orders"));
      AuditLog log = AuditLog.over(connected);
      eventually(
          () ->
              assertThat(log.newest(100, event -> true, log.end()))
                  .anyMatch(found -> found.event().detail().endsWith("bob read orders")));
      assertThat(log.verify(Optional.of(before)).breaks()).isEmpty();
      assertThat(log.verify(Optional.empty()).breaks()).isEmpty();
    }
  }

  private static EmbeddedCluster durable(Path directory) {
    return EmbeddedCluster.builder()
        .nodes(3)
        .replicas(2)
        .directory(directory)
        .access(ADMIN.name())
        .start();
  }

  @Test
  void aTrimmedBeginningKeepsTheChain() {
    for (int i = 0; i < 3; i++) {
      give(grant(ALICE, Permission.READ, "orders" + i));
      String end = "orders" + i;
      awaitEvent("a grant", event -> event.detail().endsWith(end));
    }
    AuditAnchor newest = audit.verify(Optional.empty()).newest().orElseThrow();
    Address first = audit.trim(new Address(newest.address())).orElseThrow();

    assertThat(first.value()).isLessThanOrEqualTo(newest.address());
    assertThat(audit.verify(Optional.of(newest)).breaks()).isEmpty();
    assertWhole();
    awaitEvent(
        "the trim",
        event -> isDone(event, ADMIN, "TrimStream") && event.streamName().equals("corfu/audit"));
    assertThat(audit.trim(new Address(Long.MAX_VALUE))).as("the newest record stays").isPresent();
    assertWhole();
  }

  @Test
  void aForeignEntryIsABreakAndItsAuthorIsKnown() {
    give(grant(ALICE, Permission.READ, "orders"));
    Corfu other = cluster.connect(OTHER_ADMIN);
    Address forged =
        Streams.over(other).open(StreamNames.AUDIT).append("nothing".getBytes(UTF_8)).address();

    awaitEvent(
        "the write",
        event ->
            isDone(event, OTHER_ADMIN, "Write")
                && event.streamName().equals(StreamNames.AUDIT)
                && event.detail().equals("address " + forged));
    assertThat(audit.verify(Optional.empty()).breaks())
        .extracting(AuditBreak::address)
        .containsExactly(forged.value());
  }

  @Test
  void aTenantReadsNothingOfIt() {
    give(grant(ALICE, Permission.READ, "orders"));
    AuditLog asAlice = AuditLog.over(cluster.connect(ALICE));

    assertThatThrownBy(asAlice::end).isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> asAlice.verify(Optional.empty()))
        .isInstanceOf(AccessDeniedException.class);
  }
}
