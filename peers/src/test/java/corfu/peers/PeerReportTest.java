package corfu.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.peers.PeerReport.Compared;
import corfu.peers.PeerReport.Load;
import corfu.peers.load.LoadResult;
import corfu.peers.load.MapOrder;
import corfu.peers.system.Replication;
import corfu.roles.logunit.options.UnitMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerReportTest {

  private static final Load FLOOD = new Load.Flood(256);
  private static final Load LONE = new Load.Lone();

  @Test
  void theMedianRoundCounts() {
    var side = PeerFigures.of(List.of(round(300, 1, 9), round(100, 3, 7), round(200, 2, 8)));

    assertThat(side.perSecond().median()).isEqualTo(200);
    assertThat(side.perSecond().least()).isEqualTo(100);
    assertThat(side.perSecond().most()).isEqualTo(300);
    assertThat(side.p50Micros().median()).isEqualTo(2);
    assertThat(side.p99Micros().median()).isEqualTo(8);
  }

  @Test
  void twiceTheThroughputIsTheTargetOfAFlood() {
    assertThat(compared(FLOOD, round(2000, 9, 9), round(1000, 1, 1)).isMet()).isTrue();
    assertThat(compared(FLOOD, round(1999, 1, 1), round(1000, 9, 9)).isMet()).isFalse();
  }

  @Test
  void latenciesThatAreNoWorseAreTheTargetOtherwise() {
    assertThat(compared(LONE, round(1, 5, 9), round(1, 5, 9)).isMet()).isTrue();
    assertThat(compared(LONE, round(1, 6, 9), round(1, 5, 9)).isMet()).isFalse();
    assertThat(compared(new Load.Offered(7), round(1, 4, 10), round(1, 5, 9)).isMet()).isFalse();
  }

  @Test
  void tenTimesTheCallsOfAMapAndTwentyTimesTheTransactionsAreTheTarget() {
    var put = new Load.Calls(MapOrder.Call.PUT, 1000, 16);
    var transact = new Load.Calls(MapOrder.Call.TRANSACT, 100_000, 16);

    assertThat(compared(put, round(1000, 9, 9), round(100, 1, 1)).isMet()).isTrue();
    assertThat(compared(put, round(999, 1, 1), round(100, 9, 9)).isMet()).isFalse();
    assertThat(compared(transact, round(2000, 9, 9), round(100, 1, 1)).isMet()).isTrue();
    assertThat(compared(transact, round(1999, 1, 1), round(100, 9, 9)).isMet()).isFalse();
    assertThat(transact.text()).isEqualTo("transact, 100,000 keys");
  }

  @Test
  void thePictureHasABarForEachRow() {
    var plot =
        new PeersPlot(
            List.of(
                compared(FLOOD, round(4000, 1, 1), round(1000, 1, 1)),
                compared(LONE, round(1, 8, 1), round(1, 2, 1))));

    assertThat(plot.toSvg())
        .startsWith("<svg ")
        .endsWith("</svg>\n")
        .contains("redis, 1 copy, memory, 256 B, 256 under way", ">4.00</text>")
        .contains("redis, 1 copy, memory, 256 B, one at a time", ">0.25</text>");
  }

  @Test
  void fewerThanThreeRoundsAreNoComparison() {
    Duration second = Duration.ofSeconds(1);

    assertThatThrownBy(
            () ->
                new PeersSettings(
                    Set.of(), List.of(256), 256, Set.of(), Set.of(), 2, second, second))
        .hasMessage("a median needs 3 rounds or more, not 2");
  }

  private static Compared compared(Load load, LoadResult ours, LoadResult theirs) {
    return new Compared(
        "redis",
        new Replication(1, UnitMode.MEMORY),
        256,
        load,
        PeerFigures.of(List.of(ours)),
        PeerFigures.of(List.of(theirs)));
  }

  private static LoadResult round(long perSecond, long p50Micros, long p99Micros) {
    return new LoadResult(perSecond, 1_000_000_000, p50Micros * 1000, p99Micros * 1000);
  }
}
