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
import corfu.access.audit.AuditEvent;
import corfu.protocol.Address;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamAddress;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.access.AuditLog;
import corfu.runtime.access.AuditLogEvent;
import corfu.runtime.access.AuditVerification;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    eventually(
        () ->
            assertThat(all())
                .as(what)
                .extracting(AuditLogEvent::event)
                .anyMatch(wanted));
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
    awaitEvent(
        "a trim",
        event -> isDone(event, ALICE, "TrimStream") && !event.origin().isEmpty());
    awaitEvent(
        "a grant",
        event ->
            isDone(event, ADMIN, "Write")
                && event.streamName().equals(StreamNames.POLICY)
                && event.detail().endsWith(": grant spiffe://test/alice trim orders"));
    awaitEvent("a layout", event -> event.action().equals("Accept"));
    assertWhole();
  }
}
