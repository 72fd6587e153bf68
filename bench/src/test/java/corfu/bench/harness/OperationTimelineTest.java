package corfu.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OperationTimelineTest {

  private final OperationTimeline timeline = new OperationTimeline();

  OperationTimelineTest() {
    timeline.add(0, 10);
    timeline.add(10, 20);
    timeline.add(20, 120);
    timeline.add(120, 125);
  }

  @Test
  void theLongestOperationIsLookedForWhereItWasUnderWay() {
    assertThat(timeline.longest(100, 110)).isEqualTo(new OperationTimeline.Span(20, 120));
    assertThat(timeline.longest(5, 15).nanos()).isEqualTo(10);
    assertThat(timeline.longest(200, 300).nanos()).isZero();
  }

  @Test
  void operationsCountWhereTheyEnd() {
    assertThat(timeline.counts(10, 55, 3)).containsExactly(2, 0, 2);
  }

  @Test
  void theFirstEndBehindATimeIsTold() {
    assertThat(timeline.firstEndAfter(11)).isEqualTo(20);
    assertThatThrownBy(() -> timeline.firstEndAfter(126)).hasMessageContaining("nothing was done");
  }
}
