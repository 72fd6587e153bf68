package corfu.roles.logunit.pagemap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooTableTest {

  private final CuckooTable.Trail trail = new CuckooTable.Trail();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0xff, 0x123456, 0xffffff})
  void aPermutationCanBeRunBackwardsAndHitsEveryNumberOnce(int key) {
    BitSet hit = new BitSet();
    for (int number = 0; number < Permutation.NUMBERS; number++) {
      int permuted = Permutation.apply(key, number);
      assertThat(Permutation.invert(key, permuted)).isEqualTo(number);
      hit.set(permuted);
    }
    assertThat(hit.cardinality()).isEqualTo(Permutation.NUMBERS);
    assertThat(hit.length()).isEqualTo(Permutation.NUMBERS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 21, 64, 100, 256, 257, 1000})
  void itFillsToTheDesignLoadWhateverTheStride(int stride) {
    int entries = Permutation.NUMBERS / stride;
    try (CuckooTable table = table(CuckooTable.bucketsFor(entries), 1)) {
      for (int i = 0; i < entries; i++) {
        assertThat(table.add(i * stride, i, trail)).isTrue();
      }
      assertThat(table.size()).isEqualTo(entries);
    }
  }

  @Test
  void anInsertionThatFindsNoRoomChangesNothing() {
    Map<Integer, Long> model = new HashMap<>();
    try (CuckooTable table = table(700, 1)) {
      int offset = 0;
      while (table.add(offset, offset + 1L, trail)) {
        model.put(offset, offset + 1L);
        offset += 11;
      }
      assertThat(table.size()).isGreaterThan(table.slots() * 96 / 100).isLessThan(table.slots());

      Map<Integer, Long> contents = new HashMap<>();
      table.forEach((o, value) -> assertThat(contents.put(o, value)).isNull());
      assertThat(contents).isEqualTo(model);
      assertThat(table.get(offset)).isEqualTo(-1);
    }
  }

  @Test
  void theLargestTableHasRoomForEveryOffset() {
    try (CuckooTable table = table(CuckooTable.bucketsFor(Permutation.NUMBERS), 99)) {
      for (int offset = 0; offset < Permutation.NUMBERS; offset++) {
        assertThat(table.isFull()).isFalse();
        assertThat(table.add(offset, offset, trail)).isTrue();
      }
      assertThat(table.slots()).isEqualTo(Permutation.NUMBERS);
      assertThat(table.memoryBytes()).isEqualTo(6L * Permutation.NUMBERS + 2);
    }
  }

  @Test
  void growthNeverStandsStillBeforeTheLargestTable() {
    int buckets = 1;
    while (buckets < Permutation.NUMBERS / CuckooTable.SLOTS_PER_BUCKET) {
      try (CuckooTable table = table(buckets, 1)) {
        assertThat(table.slots()).isEqualTo(buckets * CuckooTable.SLOTS_PER_BUCKET);
        assertThat(table.bucketsOfNext()).isGreaterThan(buckets);
        buckets = table.bucketsOfNext();
      }
    }
  }

  private static CuckooTable table(int buckets, long seed) {
    return new CuckooTable(Arena.ofShared(), buckets, seed);
  }
}
