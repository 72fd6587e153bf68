package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static corfu.node.agent.ClusterHealths.open;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.message.Health.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often an agent makes epochs for its findings. */
final class EpochRateLimiterTest {

  private static final long LOOK_MILLIS = 100;

  private final ClusterHealths cluster = new ClusterHealths();
  private final Watch watch =
      new Watch(Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofMillis(400));
  private final EpochRateLimiter pace = new EpochRateLimiter();
  private long now;
  private int epochs;

  private HealthAssessment lookAgain() {
    now += LOOK_MILLIS;
    HealthAssessment finding = watch.look(cluster.clusterHealth(), now);
    pace.saw(finding, now);
    return finding;
  }

  /** Looks for this time, and makes an epoch whenever that is allowed. */
  private void heal(Duration time) {
    for (long end = now + time.toMillis(); now < end; ) {
      HealthAssessment finding = lookAgain();
      if (!finding.ailments().isEmpty() && pace.allows(finding, now)) {
        epochs++;
        pace.epochCame(finding, cluster.layout().next(), now);
        cluster.next(
            cluster.layout().segments().toArray(corfu.protocol.layout.LayoutSegment[]::new));
      }
    }
  }

  @Test
  void aUnitThatNoEpochOpensCausesFewOfThem() {
    cluster.unit(B, State.SEALED);
    heal(Duration.ofSeconds(60));

    assertThat(epochs).isBetween(3, 12);
    assertThat(pace.trouble()).hasValueSatisfying(said -> assertThat(said).contains("b:2"));
  }

  @Test
  void aUnitThatNoEpochOpensIsLeftOutLikeABrokenOne() {
    cluster.unit(B, State.SEALED);
    heal(Duration.ofMillis(1_000));
    assertThat(pace.clusterHealth(lookAgain()).suspects()).isEmpty();
    heal(Duration.ofSeconds(3));

    assertThat(pace.clusterHealth(lookAgain()).suspects()).containsExactly(B);
  }

  @Test
  void aUnitThatCannotBeLeftOutIsRenewedFurther() {
    cluster.unit(B, State.SEALED);
    heal(Duration.ofSeconds(5));
    pace.wasInVain(lookAgain(), now);

    assertThat(pace.clusterHealth(lookAgain()).suspects()).isEmpty();
    int before = epochs;
    heal(Duration.ofSeconds(25));
    assertThat(epochs).isBetween(before + 1, before + 4);
  }

  @Test
  void aReasonThatAnEpochHasCuredIsGoodForAnEpochAtOnce() {
    cluster.unit(B, State.SEALED);
    heal(Duration.ofMillis(800));
    cluster.unit(B, State.SERVING);
    heal(Duration.ofSeconds(2));
    assertThat(epochs).isPositive();
    int before = epochs;

    cluster.unit(B, State.SEALED);
    heal(Duration.ofMillis(800));

    assertThat(epochs).isEqualTo(before + 1);
    assertThat(pace.trouble()).isEmpty();
  }

  @Test
  void anotherReasonIsGoodForAnEpochAtOnce() {
    cluster.unit(B, State.SEALED);
    heal(Duration.ofSeconds(10));
    int before = epochs;

    cluster.silent(C);
    heal(Duration.ofMillis(2 * LOOK_MILLIS));

    assertThat(epochs).isEqualTo(before + 1);
  }

  @Test
  void epochsThatMendSomethingAreBoundedToo() {
    boolean isThere = true;
    for (long end = now + 60_000; now < end; isThere = !isThere) {
      cluster.next(isThere ? open(epochs, A, B, C) : open(epochs, A, B));
      cluster.silent(C);
      HealthAssessment finding = lookAgain();
      if (pace.allows(finding, now)) {
        epochs++;
        pace.epochCame(finding, cluster.next(open(epochs, A, B)).layout(), now);
      }
    }

    assertThat(epochs).isBetween(EpochRateLimiter.BURST, EpochRateLimiter.BURST + 61);
  }
}
