package corfu.bytes.internal.extent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps whose pages are in the log. */
class StoredMapTest {

  private static final long BLOCK = 4_096;
  private static final long GENEROUS = 1L << 30;
  private static final int PIECE = 64 << 10;
  private static final int SMALLEST_PIECE = 3_584;

  /** A map of blocks, each from an entry of its own. */
  private static ExtentMap blocks(int count) {
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      extents.add(new Extent(BLOCK * i, BLOCK, 3L * (i * 7_919L % count), 12));
    }
    return ExtentMap.empty().with(extents);
  }

  private static List<Extent> all(ExtentMap map) {
    return map.in(0, Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 128, 129, 10_000, 300_000})
  void aMapIsReadAsItWasWritten(int count) {
    for (int pieceBytes : List.of(SMALLEST_PIECE, PIECE, 4 << 20)) {
      ExtentMap map = blocks(count);
      if (count > 0) {
        MemoryLog log = new MemoryLog(GENEROUS, pieceBytes);
        assertThat(all(log.checkpoint(map, 0).open())).isEqualTo(all(map));
      }
    }
  }

  @Test
  void onlyThePagesOfTheRangeAreRead() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = log.checkpoint(blocks(300_000), 0).open();
    assertThat(log.pagesRead()).isZero();

    assertThat(map.in(0, 10 * BLOCK)).hasSize(10);
    assertThat(log.pagesRead()).isEqualTo(2); // a branch, a leaf
    assertThat(map.in(10 * BLOCK, 100 * BLOCK)).hasSize(90);
    assertThat(log.pagesRead()).isEqualTo(2);
  }

  @Test
  void thePagesThatOneCallNeedsAreReadTogether() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = log.checkpoint(blocks(300_000), 0).open();
    Random random = new Random(1);
    List<Extent> changes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      changes.add(new Extent(BLOCK * (300L * i + random.nextInt(300)), BLOCK, 1L << 40, 12));
    }
    ExtentMap changed = map.with(changes);
    assertThat(log.pagesRead()).isGreaterThan(1_000);
    assertThat(log.reads()).isLessThan(10);
    assertThat(all(changed)).hasSize(300_000);
  }

  @Test
  void whatIsReplacedAsAWholeIsNotRead() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = log.checkpoint(blocks(300_000), 0).open();

    assertThat(all(map.without(0, 300_000 * BLOCK))).isEmpty();
    Extent large = new Extent(0, 299_999 * BLOCK, 1L << 40, 0);
    assertThat(map.with(large).in(0, 299_000 * BLOCK)).hasSize(1);
    assertThat(log.pagesRead()).isLessThan(10);
  }

  @Test
  void aCheckpointWritesOnlyThePagesThatChanged() {
    MemoryLog log = new MemoryLog(GENEROUS, 4 << 20);
    ExtentMap map = log.checkpoint(blocks(300_000), 0).open();
    long whole = log.written();
    ExtentMap changed = map.with(new Extent(BLOCK * 150_000, BLOCK, 1L << 40, 12));
    assertThat(changed.sizeIn(log).changed()).isLessThan(8 << 10);

    MemoryLog.Root next = log.checkpoint(changed, GENEROUS);
    assertThat(log.written() - whole).isLessThan(8 << 10).isLessThan(whole / 100);
    assertThat(log.pagesRead()).isEqualTo(2);
    assertThat(changed.sizeIn(log).changed()).isZero();
    assertThat(all(next.open())).isEqualTo(all(changed));
  }

  @Test
  void anUnchangedPageIsSharedByTheVersionsInMemory() {
    MemoryLog log = new MemoryLog(GENEROUS, 4 << 20);
    ExtentMap before = blocks(10_000);
    ExtentMap after = before.with(new Extent(0, BLOCK, 1L << 40, 12));
    var unused = log.checkpoint(before, GENEROUS);

    assertThat(after.sizeIn(log).changed()).isLessThan(before.sizeIn(log).all() / 10);
  }

  /** 200 checkpoints of a map of constant size, while readers trim what they may trim. */
  @Test
  void theEntriesThatAreNeededStayWithinThreeTimesTheLivePages() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = blocks(50_000);
    Random random = new Random(5);
    for (int i = 0; i < 200; i++) {
      List<Extent> changes = new ArrayList<>();
      long at = random.nextInt(100);
      while (at < 50_000) {
        changes.add(new Extent(BLOCK * at, BLOCK, (1L << 30) + i, 12));
        at += 1 + random.nextInt(2_000);
      }
      map = map.with(changes);
      MemoryLog.Root root = log.checkpoint(map, 0);
      log.trim(root.first());
      long live = map.sizeIn(log).all();
      assertThat(log.bytesFrom(root.first())).isLessThan(3 * live);
      if (i % 20 == 0) {
        assertThat(all(root.open())).isEqualTo(all(map));
      }
    }
    assertThat(log.written()).isGreaterThan(10 * map.sizeIn(log).all());
  }

  @Test
  void memoryOfLoadedPagesIsBounded() {
    MemoryLog log = new MemoryLog(64 << 10, PIECE);
    ExtentMap map = log.checkpoint(blocks(100_000), 0).open();

    assertThat(all(map)).hasSize(100_000);
    assertThat(all(map)).isEqualTo(all(blocks(100_000)));
    assertThat(log.cache().bytes()).isLessThanOrEqualTo(64 << 10);
    int before = log.pagesRead();
    assertThat(map.in(0, BLOCK)).hasSize(1);
    assertThat(log.pagesRead()).isGreaterThan(before);
  }

  @Test
  void aPageThatIsUsedOftenStaysInMemory() {
    MemoryLog log = new MemoryLog(64 << 10, PIECE);
    ExtentMap map = log.checkpoint(blocks(100_000), 0).open();
    assertThat(map.in(0, BLOCK)).hasSize(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(map.in(BLOCK * 100 * i, BLOCK * 100 * i + 1)).hasSize(1);
      int before = log.pagesRead();
      assertThat(map.in(0, BLOCK)).hasSize(1);
      assertThat(log.pagesRead()).isEqualTo(before);
    }
  }

  @Test
  void aTrimmedPageIsLostAndNeverWrong() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = log.checkpoint(blocks(100_000), 0).open();
    log.trim(log.end());

    assertThatThrownBy(() -> map.in(0, BLOCK)).isInstanceOf(PageLostException.class);
    assertThatThrownBy(() -> map.with(new Extent(5, 5, 5, 5)))
        .isInstanceOf(PageLostException.class);
    assertThatThrownBy(() -> log.checkpoint(map, 0)).isInstanceOf(PageLostException.class);
  }

  @Test
  void aTrimmedPageThatIsInMemoryIsWrittenAgain() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = blocks(100_000);
    var unused = log.checkpoint(map, 0);
    log.trim(log.end());

    assertThat(all(log.checkpoint(map, GENEROUS).open())).isEqualTo(all(map));
  }

  /** A clone shares the source's map, but each array's checkpoints need their own pages. */
  @Test
  void aMapOfTwoArraysIsStoredInBoth() {
    MemoryLog source = new MemoryLog(GENEROUS, PIECE);
    MemoryLog clone = new MemoryLog(GENEROUS, PIECE);
    ExtentMap map = source.checkpoint(blocks(100_000), 0).open();
    MemoryLog.Root ofClone = clone.checkpoint(map, GENEROUS);
    source.trim(source.end());

    assertThat(all(ofClone.open())).isEqualTo(all(blocks(100_000)));
    assertThat(all(map)).isEqualTo(all(blocks(100_000)));
    assertThat(map.sizeIn(clone).changed()).isZero();
    assertThat(map.sizeIn(source).changed()).isZero();
  }

  @Test
  void twoClientsThatWriteInTurnDoNotDisturbEachOther() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    ExtentMap one = log.checkpoint(blocks(20_000), GENEROUS).open();
    ExtentMap two = one;
    MemoryLog.Root ofOne = null;
    MemoryLog.Root ofTwo = null;
    for (int i = 0; i < 50; i++) { // both play the same entries
      Extent change = new Extent(BLOCK * (i * 401L % 20_000), BLOCK, (1L << 30) + i, 12);
      one = one.with(change);
      two = two.with(change);
      ofOne = i % 2 == 0 ? log.checkpoint(one, GENEROUS) : ofOne;
      ofTwo = i % 3 == 0 ? log.checkpoint(two, GENEROUS) : ofTwo;
    }
    ofOne = log.checkpoint(one, GENEROUS);
    ofTwo = log.checkpoint(two, GENEROUS);
    assertThat(all(ofOne.open())).isEqualTo(all(two)).isEqualTo(all(ofTwo.open()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aMapStaysRightWhateverIsWrittenDroppedAndTrimmed(long seed) {
    Random random = new Random(seed);
    MemoryLog log = new MemoryLog(random.nextInt(3) == 0 ? 0 : 1 << (10 + seed), SMALLEST_PIECE);
    TreeModel model = new TreeModel();
    ExtentMap map = ExtentMap.empty();
    for (int i = 0; i < 3_000; i++) {
      List<Extent> changes = new ArrayList<>();
      long at = random.nextInt(30_000);
      for (int k = random.nextInt(40); k >= 0; k--) {
        int length = 1 + random.nextInt(20);
        changes.add(new Extent(at, length, random.nextInt(1 << 20), random.nextInt(1 << 16)));
        at += length + random.nextInt(100);
      }
      map = map.with(changes);
      changes.forEach(model::put);
      if (random.nextInt(20) == 0) {
        long to = at + random.nextInt(random.nextBoolean() ? 200 : 20_000);
        map = map.without(at, to);
        model.clear(at, to);
      }
      if (random.nextInt(30) == 0 && map.root() != null) {
        MemoryLog.Root root = log.checkpoint(map, random.nextInt(1 << 20));
        map = random.nextBoolean() ? root.open() : map;
        log.trim(root.first());
      }
      if (random.nextInt(10) == 0) {
        long from = random.nextInt(30_000);
        model.assertSame(map, from, from + random.nextInt(5_000));
      }
    }
    model.assertSame(map);
  }

  @Test
  void aDamagedPageIsReportedWithItsPlace() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    MemoryLog.Root root = log.checkpoint(blocks(1), 0);
    for (int i = 0; i < root.bytes().length; i++) {
      byte[] shorter = Arrays.copyOf(root.bytes(), i);
      assertThatThrownBy(() -> ExtentMap.stored(root.page(), shorter))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("address " + root.page().address())
          .hasMessageContaining("position " + root.page().position());
    }
  }

  @Test
  void damagedBytesNeverFailOtherwise() {
    MemoryLog log = new MemoryLog(GENEROUS, PIECE);
    Random random = new Random(3);
    for (int count : List.of(1, 100, 20_000)) {
      MemoryLog.Root root = log.checkpoint(blocks(count), 0);
      for (int i = 0; i < 20_000; i++) {
        byte[] bytes = root.bytes().clone();
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        try {
          assertThat(PageCodec.decode(root.page(), bytes).count()).isPositive();
        } catch (DamagedRecordException expected) {
          assertThat(expected).hasMessageContaining("position");
        }
      }
    }
  }
}
