package corfu.access.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** The bounds that a bucket keeps, and the waits that it tells. */
class TokenBucketProperties {

  private static final long SECOND = 1_000_000_000L;

  private static TokenBucket bucket(long rate) {
    TokenBucket bucket = new TokenBucket(0);
    bucket.limitTo(rate);
    return bucket;
  }

  private record Admitted(long nanos, long cost) {}

  /** Asks at random times for random costs, and returns what was admitted. */
  private static List<Admitted> ask(TokenBucket bucket, long rate, long mostCost, Random random) {
    List<Admitted> admitted = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 300; i++) {
      now += random.nextLong(1, 2 * Math.max(2, mostCost * SECOND / rate));
      long cost = random.nextLong(1, mostCost + 1);
      if (bucket.waitNanos(cost, now) == 0) {
        bucket.charge(cost, now);
        admitted.add(new Admitted(now, cost));
      }
    }
    return admitted;
  }

  @Property(tries = 200)
  void noWindowHasMoreThanTheRateAndOneBurst(
      @ForAll @LongRange(min = 1, max = 1_000_000) long rate, @ForAll long seed) {
    Random random = new Random(seed);
    List<Admitted> admitted = ask(bucket(rate), rate, rate, random);
    for (int from = 0; from < admitted.size(); from++) {
      double sum = 0;
      for (int to = from; to < admitted.size(); to++) {
        sum += admitted.get(to).cost;
        double seconds = (double) (admitted.get(to).nanos - admitted.get(from).nanos) / SECOND;
        assertThat(sum).isLessThanOrEqualTo(rate * seconds + rate + 0.001);
      }
    }
  }

  @Property(tries = 200)
  void largerCostsPutTheBucketIntoDebtAndNoMore(
      @ForAll @LongRange(min = 1, max = 1_000) long rate, @ForAll long seed) {
    Random random = new Random(seed);
    long largest = 20 * rate;
    List<Admitted> admitted = ask(bucket(rate), rate, largest, random);
    double sum = admitted.stream().mapToLong(Admitted::cost).sum();
    double seconds = (double) admitted.getLast().nanos / SECOND;
    assertThat(sum).isLessThanOrEqualTo(rate * seconds + rate + largest);
  }

  @Property(tries = 500)
  void theToldWaitSufficesAndIsNotTooLong(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long rate, @ForAll long seed) {
    Random random = new Random(seed);
    TokenBucket bucket = bucket(rate);
    long now = 0;
    for (int i = 0; i < 50; i++) {
      long cost = random.nextLong(1, 3 * rate + 1);
      long wait = bucket.waitNanos(cost, now);
      if (wait > 0) {
        assertThat(bucket.waitNanos(cost, now + wait - 1)).isPositive();
        now += wait;
      }
      assertThat(bucket.waitNanos(cost, now)).isZero();
      bucket.charge(cost, now);
    }
  }

  @Example
  void aFullBucketAdmitsOneSecondAtOnce() {
    TokenBucket bucket = bucket(100);
    bucket.charge(100, 0);
    assertThat(bucket.waitNanos(1, 0)).isEqualTo(SECOND / 100);
    assertThat(bucket.waitNanos(50, 0)).isEqualTo(SECOND / 2);
  }

  @Example
  void aLowerRateCountsFromNowOn() {
    TokenBucket bucket = bucket(100);
    bucket.charge(100, 0);
    bucket.limitTo(10);
    assertThat(bucket.waitNanos(10, SECOND)).isZero();
    bucket.charge(10, SECOND);
    assertThat(bucket.waitNanos(1, SECOND)).isEqualTo(SECOND / 10);
  }

  @Example
  void withoutALimitNothingIsCharged() {
    TokenBucket bucket = new TokenBucket(0);
    bucket.charge(Long.MAX_VALUE, 0);
    assertThat(bucket.waitNanos(Long.MAX_VALUE, 0)).isZero();
  }
}
