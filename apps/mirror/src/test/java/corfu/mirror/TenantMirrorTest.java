package corfu.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.access.AccessControl;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A mirror is run by an identity with {@code read-log}: a tenant's copies nothing of others. */
@Timeout(120)
class TenantMirrorTest {

  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity ALICE = new Identity("spiffe://test/alice");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final EmbeddedCluster here =
      EmbeddedCluster.builder().nodes(3).replicas(2).access(ADMIN.name()).start();
  private final EmbeddedCluster there = EmbeddedCluster.builder().start();
  private final Corfu administrator = here.connect(ADMIN);

  @BeforeEach
  void useBothStreams() {
    grant(new Grant(new Subject.Exact(ALICE), Permission.READ, Target.parse("orders/books")));
    Streams streams = Streams.over(administrator);
    streams.open("orders/books").append("a book".getBytes(UTF_8));
    streams.open("billing/may").append("secret".getBytes(UTF_8));
  }

  private void grant(Grant grant) {
    AccessControl control = AccessControl.over(administrator, ADMIN);
    control.grant(grant);
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  private Mirror mirror(String... streams) {
    List<StreamId> ids = List.of(streams).stream().map(StreamId::named).toList();
    Reconfiguration changes =
        new Reconfiguration(
            there.world(), there.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
    return Mirror.open(
        here.connect(ALICE), there.connect(), changes, MirrorOptions.DEFAULT.withStreams(ids));
  }

  private void assertNothingOfOthersIsThere() {
    Corfu target = there.connect();
    for (LogEntry entry : target.log().read(new Address(0), target.log().tail())) {
      if (entry instanceof LogEntry.Data data) {
        assertThat(UTF_8.decode(data.payload()).toString()).isEqualTo("a book");
      }
    }
  }

  @Test
  void theWholeLogIsNotCopied() {
    assertThatThrownBy(() -> mirror().step()).isInstanceOf(AccessDeniedException.class);
    assertNothingOfOthersIsThere();
  }

  @Test
  void aStreamOfOthersIsNotCopied() {
    assertThatThrownBy(() -> mirror("billing/may", "orders/books").step())
        .isInstanceOf(AccessDeniedException.class);
    assertNothingOfOthersIsThere();
  }

  /** It reads ranges of the log, in which there are entries of others. */
  @Test
  void aMirrorOfOwnStreamsNeedsReadLogToo() {
    Mirror mirror = mirror("orders/books");
    assertThatThrownBy(mirror::step).isInstanceOf(AccessDeniedException.class);
    assertNothingOfOthersIsThere();

    grant(Grant.of(new Subject.Exact(ALICE), Permission.READ_LOG));
    while (mirror.step() > 0) {
      // until nothing is left
    }
    StreamReader reader = Streams.over(there.connect()).open("orders/books").reader();
    var unused = reader.sync();
    assertThat(reader.readRest()).extracting(StreamRead.Entry::text).containsExactly("a book");
    assertNothingOfOthersIsThere();
  }

  /** A mirror's log has nothing but its source's entries, so no server writes to it. */
  @Test
  void aMirrorWithPermissionsFollowsTrimsOfItsSource() {
    try (EmbeddedCluster source = EmbeddedCluster.builder().start();
        EmbeddedCluster guarded = EmbeddedCluster.builder().access(ADMIN.name()).start()) {
      Corfu from = source.connect();
      Corfu to = guarded.connect(ADMIN);
      Reconfiguration changes =
          new Reconfiguration(
              guarded.world(), guarded.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
      Mirror mirror = Mirror.open(from, to, changes, MirrorOptions.DEFAULT);
      from.log().append("old".getBytes(UTF_8));
      from.log().append("new".getBytes(UTF_8));
      while (mirror.step() > 0) {
        // until nothing is left
      }

      to.log().prefixTrim(new Address(1));

      assertThat(to.log().tail()).isEqualTo(from.log().tail());
      assertThat(to.log().read(new Address(0))).isInstanceOf(LogEntry.Trimmed.class);
    }
  }
}
