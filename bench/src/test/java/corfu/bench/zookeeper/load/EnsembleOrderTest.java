package corfu.bench.zookeeper.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnsembleOrderTest {

  private static final Duration TIME = Duration.ofMillis(1500);

  static Stream<EnsembleOrder> orders() {
    return Stream.of(
        new EnsembleOrder.Open("ours", List.of("127.0.0.1:2181", "127.0.0.1:2182")),
        new EnsembleOrder.Close("ours"),
        new EnsembleOrder.Mix("ours", 50, 4, 25, 512, EnsembleOrder.ALL_SERVERS, TIME),
        new EnsembleOrder.Creates("ours", 512, TIME),
        new EnsembleOrder.Repeat("ours", Recipe.BARRIER, 512, TIME),
        new EnsembleOrder.Fill("ours", 1_000_000, 100),
        new EnsembleOrder.Check("ours", 1_000_000));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void anOrderIsTheSameAfterItsWayAsALine(EnsembleOrder order) {
    assertThat(EnsembleOrder.parse(order.toLine())).isEqualTo(order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mix ours 50", "close", "shout ours", "repeat ours nap 1 1"})
  void anotherLineIsRefused(String line) {
    assertThatThrownBy(() -> EnsembleOrder.parse(line))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOutcomeIsTheSameAfterItsWayAsALine() {
    var outcome = new LoadOutcome(3_000, 1_500_000_000, 200_000, 900_000);

    assertThat(LoadOutcome.parse(outcome.toLine())).isEqualTo(outcome);
    assertThat(outcome.perSecond()).isEqualTo(2_000);
  }

  @Test
  void theReasonOfAFailureIsNoOutcome() {
    assertThatThrownBy(() -> LoadOutcome.parse("failed: no session"))
        .hasMessage("failed: no session");
  }
}
