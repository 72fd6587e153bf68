package corfu.bytes.internal.extent;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A map does what a simple model does, whatever pattern the changes have. */
class ExtentMapRandomTest {

  private static final int OPERATIONS = 100_000;
  private static final long BLOCK = 4_096;

  private enum Pattern {
    RANDOM_BLOCKS,
    RANDOM_BYTES,
    DESCENDING,
    ALTERNATING,
    SINGLE_BYTES,
    SEQUENTIAL,
    FAR_APART
  }

  /** Returns the next extent of a pattern; {@code i} grows with each. */
  private static Extent next(Pattern pattern, Random random, int i) {
    long address = (1L << 33) + i / 8;
    long position = 300 + (i % 8) * BLOCK;
    return switch (pattern) {
      case RANDOM_BLOCKS -> new Extent(BLOCK * random.nextInt(20_000), BLOCK, address, position);
      case RANDOM_BYTES ->
          new Extent(random.nextInt(1_000_000), 1 + random.nextInt(5_000), address, position);
      case DESCENDING -> new Extent(7L * (OPERATIONS - i), 7, address, position);
      case ALTERNATING ->
          new Extent(BLOCK * (i % 2 == 0 ? i : 2L * OPERATIONS - i), BLOCK, address, position);
      case SINGLE_BYTES -> new Extent(random.nextInt(30_000), 1, address, random.nextInt(9));
      case SEQUENTIAL -> new Extent(BLOCK * i, BLOCK, address, position);
      case FAR_APART ->
          new Extent(
              random.nextLong(1L << 62),
              1 + random.nextInt(1 << random.nextInt(31)),
              random.nextLong(1L << 62),
              random.nextInt(1 << 30));
    };
  }

  @ParameterizedTest
  @EnumSource(Pattern.class)
  void aMapIsWhatAModelIsAfterTheSameChanges(Pattern pattern) {
    Random random = new Random(pattern.ordinal());
    ExtentMap map = ExtentMap.empty();
    TreeModel model = new TreeModel();
    for (int i = 0; i < OPERATIONS; ) {
      int kind = random.nextInt(40);
      if (kind == 0) {
        Extent cleared = next(pattern, random, i++);
        long end = cleared.end() + random.nextInt(50) * cleared.length();
        map = map.without(cleared.offset(), end);
        model.clear(cleared.offset(), end);
      } else if (kind < 5) {
        List<Extent> many = new ArrayList<>();
        int count = 1 + random.nextInt(60);
        for (int k = 0; k < count; k++) {
          Extent extent = next(pattern, random, i++);
          boolean isHole = random.nextInt(8) == 0;
          many.add(isHole ? ExtentMap.hole(extent.offset(), extent.end()) : extent);
        }
        List<Extent> changes = kind < 4 ? ordered(many) : many;
        map = map.with(changes);
        changes.forEach(model::apply);
      } else {
        Extent one = next(pattern, random, i++);
        map = map.with(one);
        model.put(one);
      }
      if (kind == 1) {
        long from = next(pattern, random, i).offset();
        model.assertSame(map, from, from + 1_000 * BLOCK);
      }
      if (random.nextInt(20_000) == 0) {
        model.assertSame(map);
      }
    }
    model.assertSame(map);
  }

  private static List<Extent> ordered(List<Extent> extents) {
    TreeMap<Long, Extent> ordered = new TreeMap<>();
    for (Extent extent : extents) {
      var below = ordered.floorEntry(extent.offset());
      var above = ordered.ceilingEntry(extent.offset());
      boolean isApart =
          (below == null || below.getValue().end() <= extent.offset())
              && (above == null || above.getKey() >= extent.end());
      if (isApart) {
        ordered.put(extent.offset(), extent);
      }
    }
    return List.copyOf(ordered.values());
  }
}
