package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.composed.ComposedTree;
import corfu.objects.composed.ComposedTreeType;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A composed tree, compared to one of the JDK's. */
@Timeout(180)
class ComposedTreeTest {

  private static final ComposedTreeType<Integer, Integer> SMALL =
      ComposedTree.of(Integer.class, Integer.class).withNodes(3, 3);

  private final TwoClients clients = new TwoClients();
  private final ComposedTree<Integer, Integer> here = clients.here.open("tree", SMALL);
  private final ComposedTree<Integer, Integer> there = clients.there.open("tree", SMALL);

  @AfterEach
  void stop() {
    clients.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itDoesWhatATreeOfTheJdkDoesWhileItGrows(long seed) {
    Random random = new Random(seed);
    TreeMap<Integer, Integer> model = new TreeMap<>();
    int deepest = 0;
    for (int step = 0; step < 400; step++) {
      ComposedTree<Integer, Integer> tree = random.nextBoolean() ? here : there;
      int key = random.nextInt(80);
      int value = random.nextInt(5);
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3 -> assertThat(tree.put(key, value)).isEqualTo(model.put(key, value));
        case 4, 5 -> {
          tree.fastPut(key, value);
          model.put(key, value);
        }
        case 6, 7 -> assertThat(tree.remove(key)).isEqualTo(model.remove(key));
        case 8 -> assertThat(tree.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value));
        case 9 -> assertThat(tree.replace(key, value, 7)).isEqualTo(model.replace(key, value, 7));
        case 10 ->
            assertThat(tree.merge(key, value, Integer::sum))
                .isEqualTo(model.merge(key, value, Integer::sum));
        case 11 -> {
          tree.putAll(Map.of(key, value, 111, 1, 133, 2));
          model.putAll(Map.of(key, value, 111, 1, 133, 2));
        }
        case 12 -> {
          tree.fastRemove(key);
          model.remove(key);
        }
        default -> {
          if (random.nextInt(12) == 0) {
            deepest = Math.max(deepest, tree.depth());
            tree.clear();
            model.clear();
          }
        }
      }
      int other = key + random.nextInt(30);
      assertThat(tree.get(key)).isEqualTo(model.get(key));
      assertThat(tree.containsKey(other)).isEqualTo(model.containsKey(other));
      assertThat(tree.floorEntry(key)).isEqualTo(model.floorEntry(key));
      assertThat(tree.lowerEntry(key)).isEqualTo(model.lowerEntry(key));
      assertThat(tree.ceilingEntry(key)).isEqualTo(model.ceilingEntry(key));
      assertThat(tree.higherEntry(key)).isEqualTo(model.higherEntry(key));
      assertThat(tree.subMap(key, true, other, false))
          .isEqualTo(model.subMap(key, true, other, false));
      if (step % 10 == 0) {
        assertThat(tree.headMap(key, true)).isEqualTo(model.headMap(key, true));
        assertThat(tree.tailMap(key, false)).isEqualTo(model.tailMap(key, false));
        assertThat(tree.firstEntry()).isEqualTo(model.firstEntry());
        assertThat(tree.lastEntry()).isEqualTo(model.lastEntry());
        assertThat(tree).hasSameSizeAs(model);
        assertThat(tree.isEmpty()).isEqualTo(model.isEmpty());
      }
    }
    assertThat(here.entrySet()).isEqualTo(model.entrySet());
    assertThat(List.copyOf(there.keySet())).isEqualTo(List.copyOf(model.keySet()));
    assertThat(there).isEqualTo(model).hasSameHashCodeAs(model);
    assertThat(Math.max(deepest, here.depth())).isGreaterThan(1);
  }

  @Test
  void nothingIsInATreeThatNobodyHasChanged() {
    assertThat(here).isEmpty();
    assertThat(here.get(1)).isNull();
    assertThat(here.firstEntry()).isNull();
    assertThat(here.lastEntry()).isNull();
    assertThat(here.floorEntry(5)).isNull();
    assertThat(here.copy()).isEmpty();
    assertThat(here.depth()).isZero();
    here.clear();
    assertThat(there.put(1, 1)).isNull();
    assertThat(here.copy()).isEqualTo(Map.of(1, 1));
  }

  @Test
  void nodesAreSplitWhileManyWriteAndReadRanges() {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      int writer = w;
      ComposedTree<Integer, Integer> tree = w % 2 == 0 ? here : there;
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 60; i++) {
                  int key = i * 4 + writer;
                  assertThat(tree.put(key, i)).isNull();
                  assertThat(tree.get(key)).isEqualTo(i);
                  assertThat(tree.subMap(key, true, key, true)).hasSize(1);
                }
              }));
    }
    writers.forEach(CompletableFuture::join);
    assertThat(here).hasSize(240);
    assertThat(there.firstEntry()).isEqualTo(Map.entry(0, 0));
    assertThat(there.lastEntry()).isEqualTo(Map.entry(239, 59));
    assertThat(here.depth()).isGreaterThan(1);
  }

  /** A key that runs an action after this number of comparisons on this thread. */
  private record Telling(int number) implements Comparable<Telling> {
    private static final ThreadLocal<Runnable> DEED = new ThreadLocal<>();
    private static final ThreadLocal<Integer> LEFT = ThreadLocal.withInitial(() -> 0);

    @Override
    public int compareTo(Telling other) {
      LEFT.set(LEFT.get() - 1);
      if (LEFT.get() == 0) {
        CompletableFuture.runAsync(DEED.get()).join();
        DEED.remove();
      }
      return Integer.compare(number, other.number);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTreeMayGrowWhileItIsLookedForWhereAKeyGoes(int comparison) {
    var type = ComposedTree.of(Telling.class, Integer.class).withNodes(3, 3);
    ComposedTree<Telling, Integer> mine = clients.here.open("telling", type);
    ComposedTree<Telling, Integer> theirs = clients.there.open("telling", type);
    Telling last = new Telling(1_000_000);
    mine.put(last, 1);
    for (int i = 1; mine.depth() < 2; i++) { // a tree of one leaf compares nothing
      mine.put(new Telling(i), i);
    }
    Telling.DEED.set(
        () -> {
          for (int i = 1; theirs.depth() < 3; i++) { // so that the last one is moved on
            theirs.put(new Telling(last.number - i), i);
          }
          assertThat(mine.get(last)).isEqualTo(1);
        });

    Telling.LEFT.set(comparison);
    mine.putAll(Map.of(last, 2));

    assertThat(Telling.DEED.get()).isNull();
    assertThat(theirs.depth()).isEqualTo(3);
    assertThat(theirs.get(last)).isEqualTo(2);
  }

  @Test
  void aRangeInATransactionIsOfOneMoment() {
    for (int i = 0; i < 30; i++) {
      here.put(i, 10);
    }
    CompletableFuture<Void> moving =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 60; i++) {
                int from = i % 30;
                int to = (i * 7 + 3) % 30;
                clients.there.transact(
                    () -> {
                      there.merge(from, -1, Integer::sum);
                      there.merge(to, 1, Integer::sum);
                    });
                there.fastPut(100 + i, 0); // leaves are split meanwhile
              }
            });
    while (!moving.isDone()) {
      assertThat(here.headMap(29, true).values().stream().mapToInt(v -> v).sum()).isEqualTo(300);
    }
    moving.join();
    assertThat(here).hasSize(90);
  }

  @Test
  void itTakesPartInTransactionsAndHasAPast() {
    for (int i = 0; i < 20; i++) {
      here.put(i, i);
    }
    Address then = clients.corfu.log().tail();
    clients.here.transact(
        () -> {
          here.remove(3);
          here.put(100, here.getOrDefault(4, 0));
          assertThat(here.lastEntry()).isEqualTo(Map.entry(100, 4));
          assertThat(here).hasSize(20);
        });
    assertThat(there.get(3)).isNull();
    assertThatThrownBy(
            () ->
                clients.here.transact(
                    () -> {
                      here.clear();
                      here.put(1, 1);
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(here).hasSize(20);
    there.clear();
    assertThat(here.put(7, 7)).isNull();
    ComposedTree<Integer, Integer> past = clients.there.at(then).open("tree", SMALL);
    assertThat(past).hasSize(20);
    assertThat(past.get(3)).isEqualTo(3);
    assertThat(past.subMap(5, true, 7, true)).isEqualTo(Map.of(5, 5, 6, 6, 7, 7));
    assertThatThrownBy(() -> past.put(1, 1)).isInstanceOf(UnsupportedOperationException.class);
    Map<Integer, Integer> read =
        clients.here.transact(TransactionOptions.at(then), () -> new HashMap<>(here.copy()));
    assertThat(read).hasSize(20);
    assertThat(here).isEqualTo(Map.of(7, 7));
  }

  @Test
  void leavesThatAreEmptyAreGivenUpAndTheirKeysFoundAgain() {
    for (int i = 0; i < 40; i++) {
      here.put(i, i);
    }
    for (int i = 0; i < 40; i++) {
      there.fastRemove(i);
      there.fastRemove(i);
    }
    assertThat(here).isEmpty();
    for (int i = 0; i < 40; i++) {
      assertThat(here.put(i, -i)).isNull();
      assertThat(there.get(i)).isEqualTo(-i);
    }
    assertThat(there).hasSize(40);
  }

  @Test
  void whatItDoesNotTakeIsRefused() {
    assertThatThrownBy(() -> here.fastPut(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> here.put(1, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> SMALL.withNodes(1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> here.subMap(3, true, 1, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> clients.here.rollBack(new Address(0), here))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
