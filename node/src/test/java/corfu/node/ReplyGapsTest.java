package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplyGapsTest {

  private static final Endpoint ONE = new Endpoint("n1", 9000);
  private static final Endpoint OTHER = new Endpoint("n2", 9000);

  private final ReplyGaps gaps = new ReplyGaps(Duration.ofNanos(300));

  @Test
  void aLayoutServerThatWasNeverAskedIsNotTooSilent() {
    assertThat(gaps.isTooLong(ONE, 1_000_000)).isFalse();
  }

  @Test
  void theGapBeginsWithTheFirstRequestThatNothingAnswered() {
    gaps.asking(ONE, 1_000);
    gaps.asking(ONE, 1_200);
    gaps.asking(OTHER, 1_200);

    assertThat(gaps.isTooLong(ONE, 1_300)).isFalse();
    assertThat(gaps.isTooLong(ONE, 1_301)).isTrue();
    assertThat(gaps.isTooLong(OTHER, 1_301)).isFalse();
  }

  @Test
  void aReplyEndsTheGap() {
    gaps.asking(ONE, 1_000);
    gaps.heard(ONE);

    assertThat(gaps.isTooLong(ONE, 2_000)).isFalse();

    gaps.asking(ONE, 2_000);
    assertThat(gaps.isTooLong(ONE, 2_300)).isFalse();
    assertThat(gaps.isTooLong(ONE, 2_301)).isTrue();
  }
}
