package corfu.peers;

import corfu.peers.load.LoadResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The results of one system over all rounds.
 *
 * @param perSecond appends per second
 * @param p50Micros the median latency of a round's appends, in microseconds
 */
public record PeerFigures(RoundFigures perSecond, RoundFigures p50Micros, RoundFigures p99Micros) {

  private static final double MICRO = 1e3;

  static PeerFigures of(List<LoadResult> rounds) {
    return new PeerFigures(
        spread(rounds, LoadResult::perSecond),
        spread(rounds, round -> round.p50Nanos() / MICRO),
        spread(rounds, round -> round.p99Nanos() / MICRO));
  }

  private static RoundFigures spread(
      List<LoadResult> rounds, ToDoubleFunction<LoadResult> quantity) {
    return new RoundFigures(rounds.stream().mapToDouble(quantity).boxed().toList());
  }
}
