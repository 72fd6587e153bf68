package corfu.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RepeatBackoffTest {

  private final RepeatBackoff patience =
      new RepeatBackoff(Duration.ofMillis(200), Duration.ofSeconds(10));

  @Test
  void whatHasNotHelpedIsTriedAgainAfterAPauseThatDoubles() {
    assertThat(patience.allows("this", 0)).isTrue();
    assertThat(patience.wasInVain("this", 0)).isTrue();

    assertThat(patience.allows("this", 199)).isFalse();
    assertThat(patience.allows("this", 200)).isTrue();
    assertThat(patience.wasInVain("this", 200)).isFalse();
    assertThat(patience.allows("this", 599)).isFalse();
    assertThat(patience.allows("this", 600)).isTrue();
  }

  @Test
  void somethingElseIsTriedAtOnce() {
    patience.wasInVain("this", 0);

    assertThat(patience.allows("that", 1)).isTrue();
  }

  @Test
  void aPauseIsNeverLongerThanTenSeconds() {
    long now = 0;
    for (int i = 0; i < 100; i++) {
      patience.wasInVain("this", now);
      now += 10_000;
    }

    assertThat(patience.allows("this", now)).isTrue();
  }

  @Test
  void whatHasHelpedMayHelpAgain() {
    patience.wasInVain("this", 0);
    patience.helped();

    assertThat(patience.allows("this", 1)).isTrue();
  }
}
