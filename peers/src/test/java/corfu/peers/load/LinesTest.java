package corfu.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders and results travel as lines between the command and a load process. */
class LinesTest {

  @Test
  void anOrderIsUnderstoodAsItWasMeant() {
    var orders =
        List.of(
            new LoadOrder.Lone(256, Duration.ofMillis(400)),
            new LoadOrder.Flood(4096, Duration.ofSeconds(1), 64),
            new LoadOrder.Offered(1, Duration.ofMillis(5), 123_456),
            new LoadOrder.Rest());

    assertThat(orders)
        .allSatisfy(order -> assertThat(LoadOrder.parse(order.toLine())).isEqualTo(order));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lone", "lone 1 2 3", "flood 1 2", "dance 1 2", "rest 1", "lone x 2"})
  void whatIsNoOrderIsRefused(String line) {
    assertThatThrownBy(() -> LoadOrder.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasObservedArrives() {
    var observed = new LoadResult(1000, 2_000_000_000L, 1_500, 30_000);

    assertThat(LoadResult.parse(observed.toLine())).isEqualTo(observed);
    assertThat(observed.perSecond()).isEqualTo(500);
  }

  @Test
  void aFailureKeepsItsReason() {
    assertThatThrownBy(() -> LoadResult.parse("failed: no room")).hasMessage("failed: no room");
  }

  @Test
  void anOrderOfYcsbArrives() {
    var order = new YcsbOrder("c", Duration.ofMillis(250), 4, 1000);

    assertThat(YcsbOrder.parse(order.toLine())).isEqualTo(order);
    assertThatThrownBy(() -> YcsbOrder.parse("g 1 2 3")).hasMessageContaining("not an order");
    assertThatThrownBy(() -> YcsbOrder.parse("a 1 2")).hasMessageContaining("not an order");
  }

  @ParameterizedTest
  @EnumSource(MapOrder.Call.class)
  void anOrderOfAMapArrives(MapOrder.Call call) {
    var order = new MapOrder(call, 1000, 256, 16, Duration.ofMillis(250));

    assertThat(MapOrder.parse(order.toLine())).isEqualTo(order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "get 1 2 3", "grab 1 2 3 4", "get 1 2 3 x"})
  void whatIsNoOrderOfAMapIsRefused(String line) {
    assertThatThrownBy(() -> MapOrder.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }
}
