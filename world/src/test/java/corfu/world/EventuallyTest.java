package corfu.world;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {

  @Test
  void returnsWhenTheAssertionsHold() {
    AtomicInteger checks = new AtomicInteger();

    eventually(() -> assertThat(checks.incrementAndGet()).isEqualTo(3));

    assertThat(checks).hasValue(3);
  }

  @Test
  void returnsTheFirstValueForWhichTheAssertionsHold() {
    AtomicInteger values = new AtomicInteger();

    assertThat(eventually(values::incrementAndGet, value -> assertThat(value).isGreaterThan(3)))
        .isEqualTo(4);
  }

  @Test
  void failsAtItsDeadlineWithTheLastFailure() {
    AtomicInteger checks = new AtomicInteger();

    assertThatThrownBy(
            () ->
                eventually(
                    Duration.ZERO,
                    () -> assertThat(checks.incrementAndGet()).as("checks").isZero()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("checks")
        .hasMessageContaining("0 ms");
    assertThat(checks).hasValue(1);
  }

  @Test
  void doesNotRepeatWhatCannotBeChecked() {
    AtomicInteger checks = new AtomicInteger();

    assertThatThrownBy(
            () ->
                eventually(
                    () -> {
                      checks.incrementAndGet();
                      throw new IOException("no disk");
                    }))
        .hasMessageContaining("no disk");
    assertThat(checks).hasValue(1);
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> eventually(() -> assertThat(1).isZero()))
        .hasMessageContaining("interrupted");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
