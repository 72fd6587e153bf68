package corfu.peers;

import corfu.peers.load.Observed;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The results of one system over all rounds.
 *
 * @param perSecond appends per second
 * @param p50Micros the median latency of a round's appends, in microseconds
 */
public record Side(Spread perSecond, Spread p50Micros, Spread p99Micros) {

  private static final double MICRO = 1e3;

  static Side of(List<Observed> rounds) {
    return new Side(
        spread(rounds, Observed::perSecond),
        spread(rounds, round -> round.p50Nanos() / MICRO),
        spread(rounds, round -> round.p99Nanos() / MICRO));
  }

  private static Spread spread(List<Observed> rounds, ToDoubleFunction<Observed> quantity) {
    return new Spread(rounds.stream().mapToDouble(quantity).boxed().toList());
  }
}
