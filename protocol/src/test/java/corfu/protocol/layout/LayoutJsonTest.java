package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LayoutJsonTest {

  @Test
  void whatIsWrittenIsReadAgainInBothForms() {
    for (long epoch = 1; epoch < 4; epoch++) {
      Layout layout = layout(epoch);
      assertThat(LayoutJson.parse(LayoutJson.compact(layout))).isEqualTo(layout);
      assertThat(LayoutJson.parse(LayoutJson.pretty(layout))).isEqualTo(layout);
    }
  }

  @Test
  void textsThatAreReadInTurnAreToldApart() {
    String one = LayoutJson.compact(layout(1));
    String other = LayoutJson.compact(layout(2));
    for (int i = 0; i < 3; i++) {
      assertThat(LayoutJson.parse(one)).isEqualTo(layout(1));
      assertThat(LayoutJson.parse(other)).isEqualTo(layout(2));
      assertThat(LayoutJson.parse(other)).isEqualTo(layout(2));
    }
  }

  @Test
  void aTextOfSeveralLinesIsPassedOnInOne() {
    Layout read = LayoutJson.parse(LayoutJson.pretty(layout(3)));
    assertThat(LayoutJson.compact(read))
        .doesNotContain("\n")
        .isEqualTo(LayoutJson.compact(layout(3)));
  }

  @Test
  void whatIsNoLayoutIsRefusedEachTime() {
    String text = LayoutJson.compact(layout(1)).replace("epoch", "epic");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> LayoutJson.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a layout has no 'epic'");
    }
  }

  private static Layout layout(long epoch) {
    Endpoint server = new Endpoint("server", 9000);
    Member member = new Member(server, new Incarnation(5));
    return new Layout(
        new ClusterId(new UUID(1, 1)),
        new Epoch(epoch),
        new Wanted(1, 1),
        List.of(server),
        List.of(member),
        List.of(member),
        List.of(new Segment(0, Segment.OPEN, List.of(new Chain(List.of(server))))));
  }
}
