package corfu.silver.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.silver.internal.quota.QuotaAccount.Outcome;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Accounts of several clients of one quota, with a clock and a tree of the test. */
class QuotaAccountTest {

  private static final long LIMIT = 1_000;
  private static final QuotaLimits LIMITS =
      new QuotaLimits(OptionalLong.of(LIMIT), OptionalLong.of(LIMIT));

  private long now;
  private long used;
  private long counts;
  private long countNanos;
  private boolean isAlone = true;
  private int clients = 1;

  private final class Tree implements QuotaAccount.Surroundings {
    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public QuotaAccount.Count count() {
      counts++;
      now += countNanos;
      return new QuotaAccount.Count(counts, new Usage(used, 0));
    }

    @Override
    public boolean isAloneSince(long version) {
      return isAlone;
    }

    @Override
    public int clients() {
      return clients;
    }
  }

  private QuotaAccount account() {
    return new QuotaAccount(LIMITS, new Tree());
  }

  /** Takes or frees bytes, as an operation does. */
  private boolean change(QuotaAccount account, long bytes) {
    Usage change = new Usage(bytes, 0);
    if (!account.enter(change)) {
      return false;
    }
    used += bytes;
    account.leave(change, Outcome.DONE);
    return true;
  }

  private void others(int number) {
    isAlone = number == 1;
    clients = number;
  }

  @Test
  void aClientAloneUsesTheLimitExactlyAndCountsOnce() {
    QuotaAccount account = account();
    used = 100;
    for (int i = 0; i < 900; i++) {
      assertThat(change(account, 1)).isTrue();
      now += Duration.ofMinutes(1).toNanos();
    }
    assertThat(change(account, 1)).isFalse();
    assertThat(change(account, -10)).isTrue();
    assertThat(change(account, 10)).isTrue();
    assertThat(change(account, 1)).isFalse();
    assertThat(account.used()).isEqualTo(new Usage(LIMIT, 0));
    assertThat(counts).isEqualTo(1);
  }

  @Test
  void aFailedOperationTakesNothing() {
    QuotaAccount account = account();
    Usage all = new Usage(LIMIT, 0);
    assertThat(account.enter(all)).isTrue();
    assertThat(account.enter(new Usage(1, 0))).isFalse();
    account.leave(all, Outcome.FAILED);
    assertThat(change(account, LIMIT)).isTrue();
    assertThat(counts).isEqualTo(1);
  }

  @Test
  void afterAnUnknownOutcomeTheSpaceIsCountedAgain() {
    QuotaAccount account = account();
    Usage half = new Usage(500, 0);
    assertThat(account.enter(half)).isTrue();
    account.leave(half, Outcome.UNKNOWN);
    assertThat(change(account, 1_000)).isTrue();
    assertThat(counts).isEqualTo(2);
  }

  @Test
  void freeingSpaceIsPossibleAboveTheLimit() {
    QuotaAccount account = account();
    used = 2_000;
    assertThat(change(account, 1)).isFalse();
    assertThat(change(account, -1_001)).isTrue();
    assertThat(change(account, 1)).isTrue();
    assertThat(used).isEqualTo(LIMIT);
  }

  @Test
  void theLimitOfNodesCountsForItself() {
    QuotaAccount account = account();
    assertThat(account.enter(new Usage(0, LIMIT + 1))).isFalse();
    assertThat(account.enter(new Usage(0, LIMIT))).isTrue();
    assertThat(account.enter(new Usage(0, 1))).isFalse();
    assertThat(account.enter(new Usage(LIMIT, 0))).isTrue();
  }

  @Test
  void aClientThatIsNotAloneCountsAgainAfterItsShareAndAfterSomeTime() {
    others(2);
    QuotaAccount account = account();
    for (int i = 0; i < 5; i++) {
      assertThat(change(account, 100)).isTrue();
    }
    assertThat(counts).isEqualTo(1);
    assertThat(change(account, 100)).isTrue(); // the share was half of the room
    assertThat(counts).isEqualTo(2);
    now += QuotaAccount.COUNT_VALID.toNanos() + 1;
    assertThat(change(account, 10)).isTrue();
    assertThat(counts).isEqualTo(3);
  }

  @Test
  void aFullQuotaIsCountedAgainAfterASecond() {
    others(2);
    QuotaAccount account = account();
    used = LIMIT;
    assertThat(change(account, 1)).isFalse();
    assertThat(change(account, 1)).isFalse();
    assertThat(counts).isEqualTo(1);
    used = 0;
    assertThat(change(account, 1)).isFalse();
    now += QuotaAccount.FULL_VALID.toNanos() + 1;
    assertThat(change(account, 1)).isTrue();
    assertThat(counts).isEqualTo(2);
  }

  @Test
  void countsThatTakeLongAreRare() {
    others(2);
    countNanos = Duration.ofSeconds(10).toNanos();
    QuotaAccount account = account();
    for (int i = 0; i < 100; i++) {
      assertThat(change(account, 1)).isTrue();
      now += Duration.ofSeconds(1).toNanos();
    }
    assertThat(counts).isEqualTo(1);
  }

  /** The last free bytes may go to any client, so only the limit ends the sum of all. */
  @Test
  void severalClientsReachTheLimit() {
    others(3);
    List<QuotaAccount> accounts = List.of(account(), account(), account());
    Random random = new Random(1);
    for (int i = 0; i < 100_000 && used < LIMIT; i++) {
      boolean unused = change(accounts.get(random.nextInt(3)), 1);
      now += Duration.ofMillis(100).toNanos();
    }
    assertThat(used).isGreaterThanOrEqualTo(LIMIT);
  }

  @Test
  void severalClientsExceedTheLimitByLessThanTheRoomOfTheOldestCount() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int number = 2 + random.nextInt(6);
      others(number);
      now = 0;
      used = random.nextInt((int) LIMIT);
      long room = LIMIT - used; // every count comes later
      List<QuotaAccount> accounts = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        accounts.add(account());
      }
      for (int i = 0; i < 5_000; i++) {
        int who = random.nextInt(4) == 0 ? random.nextInt(number) : seed % number;
        boolean unused = change(accounts.get(who), 1);
        now += random.nextInt(10_000_000);
      }
      assertThat(used)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(LIMIT + (number - 1) * Math.max(1, room / number));
    }
  }

  /** The clients count at the same time, and then use their shares: the worst case. */
  @Test
  void clientsThatCountAtTheSameTimeShareTheRoom() {
    others(4);
    List<QuotaAccount> accounts = List.of(account(), account(), account(), account());
    for (QuotaAccount account : accounts) {
      assertThat(account.used()).isEqualTo(Usage.NONE);
    }
    for (QuotaAccount account : accounts) {
      for (int i = 0; i < 250; i++) {
        assertThat(change(account, 1)).isTrue();
      }
    }
    assertThat(used).isEqualTo(LIMIT);
    assertThat(counts).isEqualTo(4);
    assertThat(change(accounts.getFirst(), 1)).isFalse();
  }
}
