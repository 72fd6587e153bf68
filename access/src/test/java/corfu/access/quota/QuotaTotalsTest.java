package corfu.access.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import corfu.protocol.Identity;
import corfu.protocol.StreamId;
import corfu.protocol.message.QuotaUse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The use of several servers together. */
class QuotaTotalsTest {

  private static final Identity APP = new Identity("spiffe://prod/app");

  private static QuotaUse use(long bytes, IntStream streams) {
    DistinctStreams distinct = new DistinctStreams();
    long[] hashes = streams.mapToLong(i -> StreamId.named("orders/" + i).hash()).toArray();
    for (long hash : hashes) {
      distinct.add(hash);
    }
    return new QuotaUse(APP, 1, 10, bytes, hashes.length, distinct.sample(), 3, 2);
  }

  private static QuotaTotal total(QuotaUse... servers) {
    QuotaTotals totals = new QuotaTotals();
    for (QuotaUse server : servers) {
      totals.add(List.of(server));
    }
    return totals.totals().getFirst();
  }

  @Test
  void ratesAndBytesAddUpAndPlacesOfOneServerDoNot() {
    QuotaTotal total = total(use(100, IntStream.range(0, 3)), use(50, IntStream.range(0, 3)));
    assertThat(total).isEqualTo(new QuotaTotal(APP, 2, 20, 3, 150, 3, 2));
  }

  @Test
  void aStreamOnSeveralChainsCountsOnce() {
    assertThat(total(use(1, IntStream.range(0, 40)), use(1, IntStream.range(20, 60))).streams())
        .isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 20_000})
  void manyStreamsAreEstimated(int count) {
    long streams =
        total(use(1, IntStream.range(0, count)), use(1, IntStream.range(count / 2, count * 2)))
            .streams();
    assertThat((double) streams).isCloseTo(2.0 * count, within(0.3 * 2 * count));
  }

  @Test
  void chosenIdsHideNoMoreThanTheLargestServerCounts() {
    List<Long> high = IntStream.range(0, 64).mapToObj(i -> -1L - i).sorted().toList();
    QuotaUse one = new QuotaUse(APP, 0, 0, 0, 5_000, high, 0, 0);
    assertThat(total(one, one).streams()).isEqualTo(5_000);
  }

  @Test
  void identitiesAreApart() {
    QuotaTotals totals = new QuotaTotals();
    Identity other = new Identity("spiffe://prod/other");
    totals.add(
        List.of(use(7, IntStream.range(0, 1)), new QuotaUse(other, 0, 0, 9, 1, List.of(1L), 0, 0)));
    assertThat(totals.totals()).extracting(QuotaTotal::storedBytes).containsExactly(7L, 9L);
  }
}
