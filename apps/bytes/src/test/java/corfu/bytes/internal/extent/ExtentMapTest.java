package corfu.bytes.internal.extent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtentMapTest {

  private static final int SIZE = 500;

  /** The map as an array: for each offset the address and the position of its byte, or zeros. */
  private static final class Model {
    private final long[] addresses = new long[SIZE];
    private final long[] positions = new long[SIZE];

    void put(Extent extent) {
      for (int i = 0; i < extent.length(); i++) {
        addresses[(int) extent.offset() + i] = extent.address();
        positions[(int) extent.offset() + i] = extent.position() + i;
      }
    }

    void clear(int from, int to) {
      Arrays.fill(addresses, from, to, 0);
      Arrays.fill(positions, from, to, 0);
    }

    Model copy() {
      Model copy = new Model();
      System.arraycopy(addresses, 0, copy.addresses, 0, SIZE);
      System.arraycopy(positions, 0, copy.positions, 0, SIZE);
      return copy;
    }
  }

  private static Model modelOf(ExtentMap map, int from, int to) {
    Model model = new Model();
    long behind = from;
    for (Extent extent : map.in(from, to)) {
      assertThat(extent.offset()).isGreaterThanOrEqualTo(behind);
      assertThat(extent.length()).isPositive();
      behind = extent.end();
      model.put(extent);
    }
    assertThat(behind).isLessThanOrEqualTo(to);
    return model;
  }

  private static void assertSame(ExtentMap map, Model expected) {
    Model found = modelOf(map, 0, SIZE);
    assertThat(found.addresses).isEqualTo(expected.addresses);
    assertThat(found.positions).isEqualTo(expected.positions);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aMapHoldsWhatAnArrayHoldsAfterTheSameChanges(long seed) {
    Random random = new Random(seed);
    ExtentMap map = ExtentMap.empty();
    Model model = new Model();
    for (int address = 1; address <= 2_000; address++) {
      int from = random.nextInt(SIZE);
      int to = Math.min(SIZE, from + 1 + random.nextInt(60));
      if (random.nextInt(4) == 0) {
        map = map.without(from, to);
        model.clear(from, to);
      } else {
        Extent extent = new Extent(from, to - from, address, random.nextInt(1_000));
        map = map.with(extent);
        model.put(extent);
      }
      assertSame(map, model);
    }
  }

  @Test
  void aVersionStaysAsItWas() {
    Random random = new Random(3);
    List<ExtentMap> versions = new ArrayList<>(List.of(ExtentMap.empty()));
    List<Model> models = new ArrayList<>(List.of(new Model()));
    for (int address = 1; address <= 300; address++) {
      int from = random.nextInt(SIZE - 50);
      Extent extent = new Extent(from, 1 + random.nextInt(50), address, 0);
      versions.add(versions.getLast().with(extent));
      Model next = models.getLast().copy();
      next.put(extent);
      models.add(next);
    }
    for (int i = 0; i < versions.size(); i++) {
      assertSame(versions.get(i), models.get(i));
    }
  }

  @Test
  void aRangeHoldsOnlyThePartsWithinIt() {
    ExtentMap map =
        ExtentMap.empty().with(new Extent(0, 10, 1, 100)).with(new Extent(20, 10, 2, 0));

    assertThat(map.in(5, 25)).containsExactly(new Extent(5, 5, 1, 105), new Extent(20, 5, 2, 0));
    assertThat(map.in(10, 20)).isEmpty();
  }

  @Test
  void dataAndHolesAreFound() {
    ExtentMap map =
        ExtentMap.empty()
            .with(new Extent(10, 10, 1, 0))
            .with(new Extent(20, 5, 2, 0))
            .with(new Extent(40, 5, 3, 0));

    assertThat(map.nextData(0)).isEqualTo(10);
    assertThat(map.nextData(12)).isEqualTo(12);
    assertThat(map.nextData(25)).isEqualTo(40);
    assertThat(map.nextData(45)).isEqualTo(-1);
    assertThat(map.nextHole(0)).isEqualTo(0);
    assertThat(map.nextHole(10)).isEqualTo(25);
    assertThat(map.nextHole(44)).isEqualTo(45);
  }

  /** A tree without balance would be as deep, and the thread's stack too small. */
  @Test
  void manyPiecesOfOneExtentMakeNoDeepTree() {
    ExtentMap map = ExtentMap.empty().with(new Extent(0, 4_000_000, 1, 0));
    for (int i = 0; i < 1_000_000; i++) {
      map = map.without(4L * i, 4L * i + 1);
    }
    for (int i = 999_999; i > 0; i--) {
      map = map.with(new Extent(4L * i, 1, 2, i));
    }
    assertThat(map.in(0, 8)).hasSize(4 - 1);
    assertThat(map.nextHole(1)).isEqualTo(4_000_000);
  }
}
