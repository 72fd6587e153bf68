package corfu.roles.logunit.pagemap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageMapTest {

  private static final long LARGEST_VALUE = (1L << PageMap.VALUE_BITS) - 1;

  @Test
  void anEmptyMapHasNothing() {
    try (PageMap map = new PageMap()) {
      assertThat(map.get(0)).isEqualTo(-1);
      assertThat(map.get(Long.MAX_VALUE)).isEqualTo(-1);
      assertThat(map.remove(7)).isFalse();
      assertThat(map.nextAtOrAfter(0)).isEqualTo(-1);
      assertThat(map.size()).isZero();
      assertThat(map.memoryBytes()).isZero();
    }
  }

  @Test
  void itKeepsTheSmallestAndTheLargestOfAddressesAndValues() {
    try (PageMap map = new PageMap()) {
      map.put(0, LARGEST_VALUE);
      map.put(Long.MAX_VALUE, 0);

      assertThat(contents(map)).isEqualTo(Map.of(0L, LARGEST_VALUE, Long.MAX_VALUE, 0L));
      assertThat(map.get(0)).isEqualTo(LARGEST_VALUE);
      assertThat(map.get(Long.MAX_VALUE)).isZero();
      assertThat(map.nextAtOrAfter(1)).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void itRefusesWhatItCouldNotGiveBack() {
    try (PageMap map = new PageMap()) {
      assertThatThrownBy(() -> map.put(-1, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.put(0, -1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.put(0, LARGEST_VALUE + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 -> 1099511627776");
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void itDoesWhatATreeMapDoesWithDenseAddresses() {
    SplittableRandom random = new SplittableRandom(1);
    actLikeATreeMap(random, 60_000, () -> random.nextLong(20_000));
  }

  @Test
  void itDoesWhatATreeMapDoesAcrossWindows() {
    SplittableRandom random = new SplittableRandom(2);
    actLikeATreeMap(random, 60_000, () -> 3 * random.nextLong(200_000));
  }

  @Test
  void itDoesWhatATreeMapDoesWithAddressesAllOverTheSpace() {
    SplittableRandom random = new SplittableRandom(3);
    long[] known = random.longs(500, 0, Long.MAX_VALUE).toArray();
    actLikeATreeMap(random, 20_000, () -> known[random.nextInt(known.length)]);
  }

  @Test
  void itDoesWhatATreeMapDoesWithALogThatGrowsAndIsTrimmed() {
    SplittableRandom random = new SplittableRandom(4);
    long[] tail = {0};
    actLikeATreeMap(
        random, 100_000, () -> 3 * Math.max(0, (tail[0] += 2) - (long) random.nextInt(5_000)));
  }

  /**
   * All entries need the same small set of places: whatever the permutations, the table must grow.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void itTakesEntriesThatCollideAsMuchAsEntriesCan(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int key = (int) Permutation.mix(0) & 0xffffff;
    try (PageMap map = new PageMap()) {
      Map<Long, Long> model = new TreeMap<>();
      for (int i = 0; i < 4000; i++) {
        long address = Permutation.invert(key, i);
        long value = random.nextLong(LARGEST_VALUE);
        map.put(address, value);
        model.put(address, value);
      }
      assertThat(contents(map)).isEqualTo(model);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 16, 30})
  void anEntryTakesAtMostEightBytesWhateverTheStride(int stride) {
    try (PageMap map = new PageMap()) {
      int entries = 20 * Window.ADDRESSES / stride;
      for (long i = 0; i < entries; i++) {
        map.put(i * stride, i);
      }
      assertThat(bytesPerEntry(map)).isLessThan(8.0);
      for (long i = 0; i < entries; i++) {
        assertThat(map.get(i * stride)).isEqualTo(i);
      }
    }
  }

  @Test
  void memoryStaysCloseToWhatTheEntriesNeedAtEverySize() {
    try (PageMap map = new PageMap()) {
      double worst = 0;
      for (long i = 0; i < 300_000; i++) {
        map.put(3 * i, i);
        if (i > 4000) {
          worst = Math.max(worst, bytesPerEntry(map));
        }
      }
      assertThat(worst).isLessThan(8.0);
    }
  }

  @Test
  void memoryFollowsWhenEntriesGoOneByOne() {
    SplittableRandom random = new SplittableRandom(5);
    try (PageMap map = new PageMap()) {
      for (long i = 0; i < Window.ADDRESSES; i++) {
        map.put(i, i);
      }
      for (long i = 0; i < Window.ADDRESSES; i++) {
        if (random.nextInt(10) > 0) {
          map.remove(i);
        }
      }
      assertThat(map.size()).isBetween(6_000L, 7_000L);
      assertThat(map.memoryBytes()).isLessThan(21 * map.size());
    }
  }

  @Test
  void aPrefixTrimGivesMemoryBackAndLeavesTheRest() {
    CountedArenas arenas = new CountedArenas();
    try (PageMap map = new PageMap(arenas::open)) {
      for (long i = 0; i < 400_000; i++) {
        map.put(i, i);
      }
      long before = map.memoryBytes();
      long bound = 333_333;
      map.removeBelow(bound);

      assertThat(map.size()).isEqualTo(400_000 - bound);
      assertThat(map.get(bound - 1)).isEqualTo(-1);
      assertThat(map.get(bound)).isEqualTo(bound);
      assertThat(map.nextAtOrAfter(0)).isEqualTo(bound);
      assertThat(map.memoryBytes()).isLessThan(before / 3);
      assertThat(arenas.opened).isEqualTo(2); // the window that was cut, and the last one

      map.removeBelow(Long.MAX_VALUE);
      assertThat(map.size()).isZero();
      assertThat(arenas.opened).isZero();
    }
  }

  @Test
  void closingGivesAllMemoryBack() {
    CountedArenas arenas = new CountedArenas();
    PageMap map = new PageMap(arenas::open);
    for (long i = 0; i < 100_000; i++) {
      map.put(i * 7, i);
    }
    assertThat(arenas.opened).isEqualTo(11);

    map.close();
    assertThat(arenas.opened).isZero();
    assertThat(map.size()).isZero();
    assertThatThrownBy(() -> map.put(1, 1)).isInstanceOf(IllegalStateException.class);
  }

  private static void actLikeATreeMap(SplittableRandom random, int steps, LongSupplier addresses) {
    CountedArenas arenas = new CountedArenas();
    TreeMap<Long, Long> model = new TreeMap<>();
    try (PageMap map = new PageMap(arenas::open)) {
      for (int step = 0; step < steps; step++) {
        long address = addresses.getAsLong();
        switch (random.nextInt(20)) {
          case 0, 1, 2, 3 -> {
            Long removed = model.remove(address);
            assertThat(map.remove(address)).isEqualTo(removed != null);
          }
          case 4, 5 -> assertThat(map.get(address)).isEqualTo(model.getOrDefault(address, -1L));
          case 6 -> {
            Long next = model.ceilingKey(address);
            assertThat(map.nextAtOrAfter(address)).isEqualTo(next == null ? -1 : next);
          }
          case 7 -> {
            long bound =
                random.nextInt(100) == 0 ? address : model.isEmpty() ? 0 : model.firstKey();
            map.removeBelow(bound);
            model.headMap(bound).clear();
          }
          default -> {
            long value = random.nextLong(LARGEST_VALUE + 1);
            map.put(address, value);
            model.put(address, value);
          }
        }
        assertThat(map.size()).isEqualTo(model.size());
      }
      assertThat(contents(map)).isEqualTo(model);
      model.forEach((address, value) -> assertThat(map.get(address)).isEqualTo(value));
    }
    assertThat(arenas.opened).isZero();
  }

  /**
   * Returns all entries that {@code forEach} of the map visits. Fails if it visits an address
   * twice.
   */
  private static Map<Long, Long> contents(PageMap map) {
    Map<Long, Long> contents = new TreeMap<>();
    map.forEach((address, value) -> assertThat(contents.put(address, value)).isNull());
    return contents;
  }

  private static double bytesPerEntry(PageMap map) {
    return (double) map.memoryBytes() / map.size();
  }
}
