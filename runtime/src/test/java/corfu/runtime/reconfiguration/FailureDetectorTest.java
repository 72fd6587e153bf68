package corfu.runtime.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limit on a server's silence, after the signs of life seen so far. */
final class FailureDetectorTest {

  private static final Endpoint OBSERVER = new Endpoint("a", 1);
  private static final Endpoint SERVER = new Endpoint("b", 2);
  private static final int ENOUGH = 30;

  private final FailureDetector detector = new FailureDetector(Duration.ofMillis(400));
  private long nowMillis = 1_000;

  private void signs(int count, long gapMillis) {
    for (int i = 0; i < count; i++) {
      nowMillis += gapMillis;
      detector.observe(OBSERVER, SERVER, nowMillis);
    }
  }

  private long limit() {
    return detector.limitMillis(OBSERVER, SERVER);
  }

  @Test
  void theConfiguredLimitHoldsUntilEnoughSignsHaveBeenSeen() {
    signs(10, 70);

    assertThat(limit()).isEqualTo(400);
  }

  @Test
  void aServerWhoseSignsComeRegularlyIsSuspectedSooner() {
    signs(ENOUGH, 70);

    assertThat(limit()).isEqualTo(175);
  }

  @Test
  void theTimeForWhichAServerWasDeadTellsNothingOfItsSigns() {
    signs(ENOUGH, 70);
    signs(1, 3_000);

    assertThat(limit()).isEqualTo(175);
  }

  @Test
  void theLimitIsNeverShorterThanItsMinimum() {
    signs(ENOUGH, 10);

    assertThat(limit()).isEqualTo(150);
  }

  @Test
  void aServerOnABusyMachineIsGivenMoreTime() {
    signs(ENOUGH, 70);
    signs(1, 120);
    assertThat(limit()).isEqualTo(300);

    signs(1, 390);
    assertThat(limit()).isEqualTo(400);
  }

  @Test
  void aLongGapIsForgottenAfterAMinute() {
    signs(ENOUGH, 70);
    signs(1, 390);
    signs(1_000, 70);

    assertThat(limit()).isEqualTo(175);
  }

  @Test
  void askingTwiceBetweenTwoSignsChangesNothing() {
    signs(ENOUGH, 70);
    detector.observe(OBSERVER, SERVER, nowMillis);
    detector.observe(OBSERVER, SERVER, nowMillis);

    assertThat(limit()).isEqualTo(175);
  }

  @Test
  void anotherObserverHasSeenNothing() {
    signs(ENOUGH, 70);

    assertThat(detector.limitMillis(SERVER, SERVER)).isEqualTo(400);
  }
}
