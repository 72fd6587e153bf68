package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import corfu.protocol.Address;
import corfu.runtime.TooManyStreamsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A composed map, compared to one of the JDK's. */
@Timeout(180)
class ComposedMapTest {

  private static final ComposedMapType<String, Integer> SMALL =
      ComposedMap.of(String.class, Integer.class).withBuckets(1).withBucketSize(4);

  private final TwoClients clients = new TwoClients();
  private final ComposedMap<String, Integer> here = clients.here.open("map", SMALL);
  private final ComposedMap<String, Integer> there = clients.there.open("map", SMALL);

  @AfterEach
  void stop() {
    clients.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itDoesWhatAMapOfTheJdkDoesWhileItGrows(long seed) {
    Random random = new Random(seed);
    Map<String, Integer> model = new HashMap<>();
    for (int step = 0; step < 300; step++) {
      ComposedMap<String, Integer> map = random.nextBoolean() ? here : there;
      String key = "key" + random.nextInt(40);
      int value = random.nextInt(5);
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value));
        case 3 -> {
          map.fastPut(key, value);
          model.put(key, value);
        }
        case 4 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
        case 5 -> assertThat(map.remove(key, value)).isEqualTo(model.remove(key, value));
        case 6 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value));
        case 7 -> assertThat(map.replace(key, value)).isEqualTo(model.replace(key, value));
        case 8 -> assertThat(map.replace(key, value, 7)).isEqualTo(model.replace(key, value, 7));
        case 9 ->
            assertThat(map.merge(key, value, Integer::sum))
                .isEqualTo(model.merge(key, value, Integer::sum));
        case 10 ->
            assertThat(map.computeIfAbsent(key, String::length))
                .isEqualTo(model.computeIfAbsent(key, String::length));
        case 11 ->
            assertThat(map.compute(key, (k, v) -> v == null || v > 2 ? null : v + 1))
                .isEqualTo(model.compute(key, (k, v) -> v == null || v > 2 ? null : v + 1));
        case 12 -> {
          map.putAll(Map.of(key, value, "other", 1, "third", 2));
          model.putAll(Map.of(key, value, "other", 1, "third", 2));
        }
        case 13 -> map.addBucket();
        case 14 -> {
          map.fastRemove(key);
          model.remove(key);
        }
        default -> {
          if (random.nextInt(10) == 0) {
            map.clear();
            model.clear();
          }
        }
      }
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.getOrDefault(key, -1)).isEqualTo(model.getOrDefault(key, -1));
      assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
      assertThat(map).hasSameSizeAs(model);
    }
    assertThat(here.entrySet()).isEqualTo(model.entrySet());
    assertThat(there.keySet()).isEqualTo(model.keySet()).contains(model.keySet().iterator().next());
    assertThat(here.values()).containsExactlyInAnyOrderElementsOf(model.values());
    assertThat(there).isEqualTo(model).hasSameHashCodeAs(model);
    assertThat(here.buckets()).isGreaterThan(10);
  }

  @Test
  void nothingIsInAMapThatNobodyHasChanged() {
    assertThat(here).isEmpty();
    assertThat(here.get("a")).isNull();
    assertThat(here.keySet()).isEmpty();
    assertThat(here.buckets()).isZero();
    here.clear();
    assertThat(there.put("a", 1)).isNull();
    assertThat(here).containsExactly(Map.entry("a", 1));
  }

  @Test
  void writersWhoKnowOfFewerBucketsLoseNothing() {
    assertThat(here.put("a", 0)).isNull();
    assertThat(there.get("a")).isZero();
    for (int i = 0; i < 60; i++) {
      here.addBucket(); // unknown to the others
      there.fastPut("k" + i, i);
      assertThat(here.get("k" + i)).isEqualTo(i);
    }
    assertThat(there.keySet()).hasSize(61);
    assertThat(there.buckets()).isGreaterThanOrEqualTo(61);
  }

  @Test
  void itGrowsWhileManyWriteAndRead() {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      int writer = w;
      ComposedMap<String, Integer> map = w % 2 == 0 ? here : there;
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 100; i++) {
                  map.put(writer + "/" + i, i);
                  assertThat(map.get(writer + "/" + i)).isEqualTo(i);
                  assertThat(map.merge("sum", 1, Integer::sum)).isPositive();
                }
              }));
    }
    writers.forEach(CompletableFuture::join);
    assertThat(here).hasSize(401).containsEntry("sum", 400);
    assertThat(here.buckets()).isGreaterThan(4);
  }

  @Test
  void aSplitAndItsReadersAndWritersAreNotInEachOthersWayForLong() {
    IntStream.range(0, 50).forEach(i -> here.fastPut("k" + i, i));
    CompletableFuture<Void> splitting =
        CompletableFuture.runAsync(() -> IntStream.range(0, 30).forEach(i -> there.addBucket()));
    while (!splitting.isDone()) {
      assertThat(here.keySet()).hasSize(50);
      assertThat(here).hasSize(50);
    }
    splitting.join();
  }

  @Test
  void itTakesPartInTransactions() {
    ReplicatedCounter counter = clients.here.open("counter", ReplicatedCounter.type());
    here.put("a", 5);
    clients.here.transact(
        () -> {
          here.put("a", here.getOrDefault("a", 0) + 1);
          here.fastPut("b", 7);
          assertThat(here.get("b")).isEqualTo(7);
          assertThat(here).hasSize(2);
          counter.add(2);
        });
    assertThat(there).isEqualTo(Map.of("a", 6, "b", 7));
    assertThatThrownBy(
            () ->
                clients.here.transact(
                    () -> {
                      here.clear();
                      assertThat(here).isEmpty();
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(here).hasSize(2);
    clients.here.txBegin();
    int was = here.getOrDefault("a", 0);
    there.put("b", 1); // another key, maybe of the same bucket
    here.put("a", was + 1);
    clients.here.txEnd();
    clients.here.txBegin();
    here.put("c", here.getOrDefault("a", 0));
    there.clear();
    assertThatThrownBy(clients.here::txEnd).isInstanceOf(TransactionAbortedException.class);
    assertThat(here).isEmpty();
  }

  @Test
  void aTransactionThatBeginsTheMapAndIsGivenUpLeavesNothing() {
    assertThatThrownBy(
            () ->
                clients.here.transact(
                    () -> {
                      here.put("a", 1);
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(there.buckets()).isZero();
    assertThat(here.put("a", 2)).isNull();
    assertThat(there.get("a")).isEqualTo(2);
  }

  @Test
  void itsPastIsThere() {
    here.putAll(Map.of("a", 1, "b", 2, "c", 3));
    Address then = clients.corfu.log().tail();
    IntStream.range(0, 10).forEach(i -> here.addBucket());
    here.remove("a");
    here.clear();
    there.put("d", 4);
    ComposedMap<String, Integer> past = clients.there.at(then).open("map", SMALL);
    assertThat(past).isEqualTo(Map.of("a", 1, "b", 2, "c", 3));
    assertThat(past.get("b")).isEqualTo(2);
    assertThat(past.get("d")).isNull();
    assertThatThrownBy(() -> past.put("e", 5)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(past::clear).isInstanceOf(UnsupportedOperationException.class);
    Map<String, Integer> read =
        clients.here.transact(TransactionOptions.at(then), () -> new HashMap<>(here));
    assertThat(read).isEqualTo(Map.of("a", 1, "b", 2, "c", 3));
    assertThat(here).isEqualTo(Map.of("d", 4));
  }

  @Test
  void aNewSequencerRemembersNothingAndStillNothingIsLost() {
    here.put("a", 1);
    clients.changeEpoch();
    there.fastPut("b", 2);
    here.addBucket();
    clients.changeEpoch();
    here.fastPut("c", 3);
    assertThat(there).isEqualTo(Map.of("a", 1, "b", 2, "c", 3));
  }

  @Test
  void whatItDoesNotTakeIsRefused() {
    assertThatThrownBy(() -> here.fastPut(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> here.put("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> SMALL.withBuckets(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SMALL.withBucketSize(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> clients.here.rollBack(new Address(0), here))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("made of several objects");
    assertThatThrownBy(() -> clients.here.checkpoint(here))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPutOfMoreKeysThanAnEntryCanNameBucketsIsMadeInPiecesOutOfATransaction() {
    ComposedMap<Integer, Integer> wide =
        clients.here.open("wide", ComposedMap.of(Integer.class, Integer.class).withBuckets(1000));
    Map<Integer, Integer> many = new HashMap<>();
    IntStream.range(0, 300).forEach(i -> many.put(i, i));
    assertThatThrownBy(() -> clients.here.transact(() -> wide.putAll(many)))
        .isInstanceOf(TooManyStreamsException.class);
    assertThat(wide).isEmpty();
    wide.putAll(many);
    assertThat(wide).isEqualTo(many);
    wide.clear();
    assertThat(wide).isEmpty();
  }
}
