package corfu.mirror;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import corfu.mirror.MirrorException.Reason;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.reconfiguration.Reconfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A mirror that runs ends when it has been promoted, whatever its source does just then. */
@Timeout(180) // who goes on for ever fails
class PromotedMirrorTest {

  /** Longer than the test may take: only whoever looks elsewhere ends sooner. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final EmbeddedCluster here = EmbeddedCluster.builder().nodes(2).replicas(2).start();
  private final EmbeddedCluster there = EmbeddedCluster.builder().nodes(2).replicas(2).start();
  private final Corfu source =
      Corfu.connect(
          here.clientOptions().withOperationTimeout(PATIENCE), here.world(), here.transport());
  private final Reconfiguration changes =
      new Reconfiguration(
          there.world(), there.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
  private final Mirror mirror =
      Mirror.open(source, there.connect(), changes, MirrorOptions.DEFAULT);
  private final CountDownLatch turns = new CountDownLatch(3);
  private final CompletableFuture<MirrorException> end = new CompletableFuture<>();

  @AfterEach
  void stop() {
    source.close();
    here.close();
    there.close();
  }

  private void run() throws InterruptedException {
    source.log().append("one".getBytes(UTF_8));
    var unused =
        there
            .world()
            .start(
                "mirror",
                () -> end.complete(catchThrowableOfType(MirrorException.class, this::copy)));
    turns.await();
    Log copy = there.connect().log();
    eventually(() -> assertThat(copy.tail()).isEqualTo(new Address(1)));
  }

  private void copy() {
    mirror.run(
        () -> {
          turns.countDown();
          return true;
        },
        trouble -> {});
  }

  private Promotion promotion() {
    return new Promotion(there.connect(), changes);
  }

  @Test
  void itEndsWhereTheSourceLivesAndHasNothingNew() throws InterruptedException {
    run();
    promotion().byForce();
    assertThat(end.join().reason()).isEqualTo(Reason.PROMOTED);
  }

  @Test
  void itEndsWhileItWaitsForASourceThatIsSilent() throws InterruptedException {
    run();
    List.of("n1", "n2").forEach(here::kill);
    promotion().unlessTheSourceLives(Optional.empty());
    assertThat(end.join()).hasMessageContaining("has been promoted");
  }

  @Test
  void howItIsCanBeAskedWhileTheSourceIsSilent() throws InterruptedException {
    source.log().append("one".getBytes(UTF_8));
    assertThat(mirror.step()).isEqualTo(1);
    List.of("n1", "n2").forEach(here::kill);
    CompletableFuture<MirrorException> asked = new CompletableFuture<>();
    var unused =
        there
            .world()
            .start(
                "status",
                () -> asked.complete(catchThrowableOfType(MirrorException.class, mirror::status)));
    promotion().byForce();
    assertThat(asked.join().reason()).isEqualTo(Reason.PROMOTED);
  }
}
