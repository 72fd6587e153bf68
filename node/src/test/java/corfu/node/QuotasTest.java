package corfu.node;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import corfu.access.Grant;
import corfu.access.PolicyCommand;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.access.quota.QuotaTotal;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Quotas of whole clusters, on two chains. */
@Timeout(120)
final class QuotasTest {

  private static final long NO = Quota.NO_LIMIT;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Identity ADMIN = new Identity("spiffe://test/admin");
  private static final Identity ALICE = new Identity("spiffe://test/alice");
  private static final Identity BOB = new Identity("spiffe://test/bob");

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder().nodes(4).replicas(2).access("spiffe://test/admin").start();
  private final AccessControl control = AccessControl.over(cluster.connect(ADMIN), ADMIN);

  QuotasTest() {
    for (Identity who : List.of(ALICE, BOB)) {
      for (Permission what : List.of(Permission.APPEND, Permission.READ, Permission.TRIM)) {
        String own = who.name().substring(who.name().lastIndexOf('/') + 1);
        control.grant(new Grant(new Subject.Exact(who), what, Target.parse(own + "/*")));
      }
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void limitAlice(Quota quota) {
    control.change(new PolicyCommand.SetQuota(new Subject.Exact(ALICE), quota));
    assertThat(control.awaitEnforced(PATIENCE)).isEmpty();
  }

  private Corfu connect(Identity identity, Duration timeout) {
    return cluster.connect(cluster.clientOptions().withOperationTimeout(timeout), identity);
  }

  private LogStream open(Identity identity, Duration timeout, String name) {
    return Streams.over(connect(identity, timeout)).open(name);
  }

  /** Appends in batches that are smaller than a burst, which quotas bound strictly. */
  private static void flood(LogStream stream, int batches, int appends, int bytes) {
    for (int i = 0; i < batches; i++) {
      List<CompletableFuture<?>> running = new ArrayList<>();
      for (int j = 0; j < appends; j++) {
        running.add(stream.appendAsync(ByteBuffer.allocate(bytes)));
      }
      running.forEach(CompletableFuture::join);
    }
  }

  private QuotaTotal ofAlice() {
    return control.quotas().totals().stream()
        .filter(total -> total.identity().equals(ALICE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aGreedyTenantWaitsAndTheOtherOneDoesNot() {
    limitAlice(new Quota(NO, 100, NO, NO, NO, NO));
    LogStream greedy = open(ALICE, PATIENCE, "alice/1");
    long began = cluster.world().nanoTime();
    CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> flood(greedy, 6, 50, 100));

    LogStream polite = open(BOB, PATIENCE, "bob/1");
    int appends = 0;
    while (!flood.isDone()) {
      polite.append(new byte[100]);
      appends++;
    }
    flood.join();

    double seconds = (cluster.world().nanoTime() - began) / 1e9;
    assertThat(seconds).isGreaterThan(1.9); // 100 at once, then 100 in each second
    assertThat(appends).isGreaterThan(20);
  }

  @Test
  void appendedBytesAreLimitedOnEachChain() {
    limitAlice(new Quota(200_000, NO, NO, NO, NO, NO));
    LogStream greedy = open(ALICE, PATIENCE, "alice/1");
    long began = cluster.world().nanoTime();
    flood(greedy, 10, 6, 10_000);
    double seconds = (cluster.world().nanoTime() - began) / 1e9;
    assertThat(seconds).isGreaterThan(1); // of 600 KB, 200 KB come at once
  }

  @Test
  void aCallThatCannotWaitFailsWithTheTimeToWait() {
    limitAlice(new Quota(NO, 1, NO, NO, NO, NO));
    LogStream stream = open(ALICE, PATIENCE, "alice/1");
    stream.append(new byte[1]);
    LogStream hasty = open(ALICE, Duration.ofMillis(400), "alice/1");
    var over =
        catchThrowableOfType(
            QuotaExceededException.class,
            () -> {
              while (true) {
                hasty.append(new byte[1]);
              }
            });
    assertThat(over.waitTime()).isBetween(Duration.ofMillis(100), Duration.ofMillis(1_001));
    assertThat(over).hasMessageContaining("spiffe://test/alice appends 1 entries a second");
  }

  @Test
  void storedBytesAndStreamsAreLimitedUntilSomeAreTrimmed() {
    limitAlice(new Quota(NO, NO, 2, 50_000, NO, NO));
    Duration brief = Duration.ofSeconds(1);
    LogStream first = open(ALICE, brief, "alice/1");
    LogStream second = open(ALICE, brief, "alice/2");
    for (int i = 0; i < 20; i++) {
      first.append(new byte[1_000]);
      second.append(new byte[1_000]);
    }
    eventually(
        () -> {
          QuotaTotal total = ofAlice();
          assertThat(total.streams()).isEqualTo(2);
          assertThat(total.storedBytes()).isBetween(40_000L, 50_000L);
        });
    Streams streams = Streams.over(connect(ALICE, brief));
    List<LogStream> late = new ArrayList<>(); // appended to before the sequencer heard of the two
    eventually(
        () -> {
          LogStream fresh = streams.open("alice/late/" + late.size());
          late.add(fresh);
          assertThatThrownBy(() -> fresh.append(new byte[1]))
              .isInstanceOf(QuotaExceededException.class)
              .hasMessageContaining("2 streams");
        });
    first.append(new byte[15_000]); // an old stream has room for bytes
    eventually(
        () ->
            assertThatThrownBy(() -> first.append(new byte[1]))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("stores 50,000 bytes"));
    open(BOB, PATIENCE, "bob/1").append(new byte[1]);

    first.trim(first.tail());
    second.trim(new StreamAddress(10));
    late.forEach(stream -> stream.trim(stream.tail()));
    LogStream third = streams.open("alice/3");
    eventually(() -> assertThatCode(() -> third.append(new byte[1])).doesNotThrowAnyException());
  }
}
