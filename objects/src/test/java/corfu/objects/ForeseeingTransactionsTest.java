package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.RoleCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A transaction that may be retried begins with its client's present knowledge, and never reports a
 * wrong state.
 */
@Timeout(60)
class ForeseeingTransactionsTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);
  private static final int APPEND = 2; // requests: a token, and a write

  private final RoleCluster cluster = RoleCluster.builder().start();
  private final CountingTransport counting = new CountingTransport(cluster.transport());
  private final Corfu corfu = Corfu.connect(cluster.clientOptions(), cluster.world(), counting);
  private final ReplicatedObjects objects = ReplicatedObjects.over(corfu);
  private final ReplicatedMap<String, Long> coins = objects.open("coins", MAP);
  private final ReplicatedMap<String, Long> debts = objects.open("debts", MAP);

  private final Corfu other = cluster.connect();
  private final ReplicatedMap<String, Long> coinsThere =
      ReplicatedObjects.over(other).open("coins", MAP);

  private final List<Long> seen = new ArrayList<>(); // by each try

  @BeforeEach
  void know() {
    coins.put("mine", 10L);
    debts.put("mine", 1L);
    assertThat(coins.get("mine")).isEqualTo(10);
    assertThat(debts.get("mine")).isEqualTo(1);
  }

  @AfterEach
  void stop() {
    other.close();
    corfu.close();
    cluster.close();
  }

  private long look() {
    return lookAt(coins);
  }

  private long lookAt(ReplicatedMap<String, Long> map) {
    long mine = map.getOrDefault("mine", 0L);
    seen.add(mine);
    return mine;
  }

  private void spendOne() {
    coins.fastPut("mine", look() - 1);
  }

  @Test
  void whatIsKnownIsNotAskedFor() {
    long requests = counting.requestsOf(() -> objects.transact(this::spendOne));

    assertThat(requests).isEqualTo(APPEND);
    assertThat(coins.get("mine")).isEqualTo(9);
  }

  @Test
  void whatTheClientHasChangedItselfIsKnown() {
    long requests =
        counting.requestsOf(
            () -> {
              objects.transact(this::spendOne);
              objects.transact(this::spendOne);
              objects.transact(this::spendOne);
            });

    assertThat(requests).isEqualTo(3 * APPEND);
    assertThat(seen).containsExactly(10L, 9L, 8L);
  }

  @Test
  void whoReadsWhatHasChangedLosesAndSeesWhatIsThereNow() {
    coinsThere.put("mine", 20L);

    objects.transact(this::spendOne);

    assertThat(seen).containsExactly(10L, 20L);
    assertThat(coinsThere.get("mine")).isEqualTo(19);
  }

  @Test
  void whatItReturnsWithoutAChangeIsOfNow() {
    coinsThere.put("mine", 20L);

    long told = objects.transact(this::look);

    assertThat(told).isEqualTo(20);
    assertThat(seen).containsExactly(10L, 20L);
  }

  @Test
  void itReturnsAtOnceWhatHasNotChanged() {
    coinsThere.get("mine");

    long told = objects.transact(this::look);

    assertThat(told).isEqualTo(10);
    assertThat(seen).containsExactly(10L);
  }

  @Test
  void whatItThrowsIsAboutWhatIsThereNow() {
    coinsThere.put("mine", 20L);

    objects.transact(
        () -> {
          if (look() < 20) {
            throw new IllegalStateException("too few");
          }
          coins.fastPut("mine", 0L);
        });

    assertThat(seen).containsExactly(10L, 20L);
    assertThat(coinsThere.get("mine")).isZero();
  }

  /** A transaction may only be too large because of a stale read. */
  @Test
  void norDoesItFailForWhatWasThere() {
    List<ReplicatedMap<String, Long>> many =
        IntStream.range(0, 100).mapToObj(i -> objects.open("map " + i, MAP)).toList();
    coinsThere.put("mine", 1L);

    objects.transact(() -> many.subList(0, (int) look() * 10).forEach(map -> map.fastPut("a", 1L)));

    assertThat(seen).containsExactly(10L, 1L);
    assertThat(many.getFirst().get("a")).isEqualTo(1);
  }

  @Test
  void whatItThrowsIsThrownOnceWhereNothingHasChanged() {
    assertThatThrownBy(
            () ->
                objects.transact(
                    () -> {
                      throw new IllegalStateException("only " + look());
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("only 10");

    assertThat(seen).containsExactly(10L);
  }

  @Test
  void whoWasWrongAsksFirstTheNextTime() {
    coinsThere.put("mine", 20L);
    objects.transact(this::spendOne);
    coinsThere.put("mine", 30L);
    seen.clear();

    objects.transact(this::spendOne);
    assertThat(seen).containsExactly(30L);

    long requests = counting.requestsOf(() -> objects.transact(this::spendOne));
    assertThat(requests).isEqualTo(APPEND);
  }

  /** The unchanged object is known only as it was before the other one's change. */
  @Test
  void whatOneChangesBesidesWhatNobodyDoesIsTriedTwiceAtMost() {
    for (int i = 0; i < 10; i++) {
      objects.transact(() -> coins.fastPut("mine", debts.get("mine") + look()));
    }

    assertThat(coins.get("mine")).isEqualTo(20);
    assertThat(seen).hasSizeLessThanOrEqualTo(20);
  }

  @Test
  void whatNobodyHasLookedAtForLongIsAskedFor() {
    for (int i = 0; i < 5000; i++) {
      debts.fastPut("mine", 2L);
    }
    assertThat(debts.get("mine")).isEqualTo(2);

    long requests = counting.requestsOf(() -> objects.transact(this::spendOne));

    assertThat(requests).isGreaterThan(APPEND);
  }

  @Test
  void whoIsTriedOnlyOnceAsks() {
    coinsThere.put("mine", 20L);

    objects.transact(TransactionOptions.DEFAULT.withAttempts(1), this::spendOne);

    assertThat(seen).containsExactly(20L);
  }

  @Test
  void whatIsBegunByHandAsks() {
    coinsThere.put("mine", 20L);

    objects.txBegin();
    spendOne();
    objects.txEnd();

    assertThat(seen).containsExactly(20L);
  }

  @Test
  void aReadOnlyOneAsks() {
    coinsThere.put("mine", 20L);

    assertThat(objects.transact(TransactionOptions.READ_ONLY, this::look)).isEqualTo(20);

    assertThat(seen).containsExactly(20L);
  }

  /** The second object's known state is older than the first one's, so both are read again. */
  @Test
  void severalObjectsAreReadAtOneMoment() {
    coins.put("mine", 11L);
    coins.get("mine");

    long sum = objects.transact(() -> look() + debts.getOrDefault("mine", 0L));

    assertThat(sum).isEqualTo(12);
    assertThat(seen).containsExactly(11L);
  }

  @Test
  void ofSeveralObjectsNoneIsReadAsItWas() {
    ReplicatedObjects there = ReplicatedObjects.over(other);
    Map<String, Long> debtsThere = there.open("debts", MAP);
    coins.put("mine", 11L);
    coins.get("mine");
    there.transact(
        () -> {
          coinsThere.put("mine", 5L);
          debtsThere.put("mine", 5L);
        });

    boolean isEven = objects.transact(() -> look() == debts.getOrDefault("mine", 0L));

    assertThat(isEven).isTrue();
    assertThat(seen).containsExactly(11L, 5L);
  }

  /** Knowledge of the same addresses from another epoch may be wrong. */
  @Test
  void whatAnotherEpochKnewIsReadOnceMore() {
    ReplicatedMap<String, Long> nothing = objects.open("nothing", MAP);
    assertThat(nothing).isEmpty();
    var unused = cluster.changeEpoch(other);

    long size = objects.transact(() -> lookAt(nothing));

    assertThat(size).isZero();
    assertThat(seen).containsExactly(0L, 0L);
  }

  @Test
  void remoteObjectsAreReadAtTheSameMoment() {
    ReplicatedMap<String, Long> remote = objects.remote().open("debts", MAP);
    coinsThere.put("mine", 20L);

    long sum = objects.transact(() -> look() + remote.getOrDefault("mine", 0L));

    assertThat(sum).isEqualTo(21);
    assertThat(seen).containsExactly(10L, 20L);
  }
}
