package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
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
  void aMirrorSaysWhatItMirrors() {
    List<StreamId> streams = List.of(StreamId.named("a"), StreamId.named("b"));
    for (List<StreamId> some : List.of(List.<StreamId>of(), streams)) {
      Origin origin = new Origin(layout(1).clusterId(), some, 17);
      Layout mirror = layout(2).withOrigin(Optional.of(origin));
      assertThat(LayoutJson.parse(LayoutJson.compact(mirror))).isEqualTo(mirror);
      assertThat(LayoutJson.parse(LayoutJson.pretty(mirror))).isEqualTo(mirror);
      assertThat(mirror.next().origin()).contains(origin);
      assertThat(mirror.differsOnlyInEpoch(layout(3))).isFalse();
    }
    assertThat(LayoutJson.compact(layout(1))).doesNotContain("mirrorOf");
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
  void chainsOfStreamsStandBesideThoseOfTheLogAndNowhereIfThereAreNone() {
    Layout plain = layout(1);
    assertThat(LayoutJson.compact(plain)).doesNotContain("stream", "arget");
    Chain log = new Chain(List.of(new Endpoint("a", 1)));
    Chain stream = new Chain(List.of(new Endpoint("b", 1), new Endpoint("c", 1)));
    ChainLayout bare = new ChainLayout(List.of(log));
    ChainLayout both = new ChainLayout(List.of(log), List.of(stream));
    Layout layout =
        new Layout(
            plain.clusterId(),
            plain.epoch(),
            new Wanted(3, 1, 2),
            plain.sequencers(),
            plain.acceptors(),
            Stream.of("a", "b", "c").map(host -> Member.spare(new Endpoint(host, 1))).toList(),
            List.of(
                new LayoutSegment(0, 10, bare).withTarget(Optional.of(both)),
                new LayoutSegment(10, 20, both).withTarget(Optional.of(bare)),
                new LayoutSegment(20, LayoutSegment.OPEN, both)));
    String text = LayoutJson.compact(layout);
    assertThat(text)
        .contains("\"wanted\":{\"units\":3,\"replicas\":1,\"streamReplicas\":2}")
        .contains(
            "{\"start\":0,\"end\":10,\"log\":[[\"a:1\"]],"
                + "\"target\":[[\"a:1\"]],\"streamTarget\":[[\"b:1\",\"c:1\"]]}")
        .contains(
            "{\"start\":10,\"end\":20,\"log\":[[\"a:1\"]],\"stream\":[[\"b:1\",\"c:1\"]],"
                + "\"target\":[[\"a:1\"]]}");
    assertThat(LayoutJson.parse(text)).isEqualTo(layout);
    assertThat(LayoutJson.parse(LayoutJson.pretty(layout))).isEqualTo(layout);
  }

  @Test
  void aTargetOfStreamsAloneIsRefused() {
    String text =
        LayoutJson.compact(layout(1))
            .replace("\"log\":", "\"end\":5,\"streamTarget\":[[\"server:9000\"]],\"log\":");
    assertThatThrownBy(() -> LayoutJson.parse(text)).isInstanceOf(IllegalArgumentException.class);
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
        List.of(new LayoutSegment(0, LayoutSegment.OPEN, List.of(new Chain(List.of(server))))));
  }
}
