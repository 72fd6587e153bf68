package corfu.disk.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskBlocksTest {

  private static final int BLOCK = BlockCache.BLOCK_BYTES;
  private static final long GIBIBYTE = 1L << 30;

  private final BlockCache cache = new BlockCache(16 << 20);
  private final DiskBlocks disk = cache.open();

  private static ByteBuffer bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static void keep(DiskBlocks in, long offset, ByteBuffer data) {
    in.fetch(offset, data.remaining()).keep(data);
  }

  private static Optional<ByteBuffer> read(DiskBlocks from, long offset, int length) {
    ByteBuffer into = ByteBuffer.allocate(length);
    return from.read(offset, into).isNone() ? Optional.of(into) : Optional.empty();
  }

  @Test
  void aRangeOfKeptBlocksIsRead() {
    ByteBuffer data = bytes(1, 3 * BLOCK);
    keep(disk, 10 * BLOCK, data);

    assertThat(read(disk, 10 * BLOCK, 3 * BLOCK)).contains(data);
    assertThat(read(disk, 10 * BLOCK + 512, BLOCK)).contains(data.slice(512, BLOCK));
    assertThat(read(disk, 12 * BLOCK, 2 * BLOCK)).isEmpty();
  }

  @Test
  void partsOfBlocksAreNotKept() {
    ByteBuffer data = bytes(1, 2 * BLOCK);
    keep(disk, 512, data);

    assertThat(read(disk, BLOCK, BLOCK)).contains(data.slice(BLOCK - 512, BLOCK));
    assertThat(read(disk, 512, 512)).isEmpty();
    assertThat(read(disk, 2 * BLOCK, 512)).isEmpty();
  }

  @Test
  void aGapReachesFromTheFirstMissingByteToTheLast() {
    keep(disk, 0, bytes(1, BLOCK));
    keep(disk, 2 * BLOCK, bytes(2, BLOCK));
    keep(disk, 99 * BLOCK, bytes(3, BLOCK));
    ByteBuffer into = ByteBuffer.allocate(BLOCK + 100 * BLOCK).position(BLOCK);

    Gap gap = disk.read(0, into);
    assertThat(gap.isNone()).isFalse();
    assertThat(gap.start()).isEqualTo(BLOCK);
    assertThat(gap.length()).isEqualTo(98 * BLOCK);
    assertThat(into.slice(BLOCK, BLOCK)).isEqualTo(bytes(1, BLOCK));
    assertThat(into.slice(100 * BLOCK, BLOCK)).isEqualTo(bytes(3, BLOCK));
  }

  /** A range that lacks one block is fetched as a whole, so a block must not lose its place. */
  @Test
  void whatTakesHalfOfTheCacheIsKept() {
    int blocks = (8 << 20) / BLOCK;
    for (int i = 0; i < blocks; i++) {
      keep(disk, (long) i * BLOCK, bytes(i, BLOCK));
    }
    for (int i = 0; i < blocks; i++) {
      assertThat(read(disk, (long) i * BLOCK, BLOCK)).contains(bytes(i, BLOCK));
    }
  }

  @Test
  void aSmallCacheNeverGivesOldBytes() {
    DiskBlocks small = new BlockCache(100 * BLOCK).open();
    RandomGenerator random = new Random(7);
    int blocks = 400;
    int[] seeds = new int[blocks];
    for (int i = 1; i < 20_000; i++) {
      int block = random.nextInt(blocks);
      switch (random.nextInt(3)) {
        case 0 -> {
          small.change((long) block * BLOCK, BLOCK).run();
          seeds[block] = i;
        }
        case 1 -> keep(small, (long) block * BLOCK, bytes(seeds[block], BLOCK));
        default -> {
          var found = read(small, (long) block * BLOCK, BLOCK);
          if (found.isPresent()) {
            assertThat(found).contains(bytes(seeds[block], BLOCK));
          }
        }
      }
    }
  }

  @Test
  void whatChangesIsNotRead() {
    keep(disk, 0, bytes(1, 4 * BLOCK));
    Runnable end = disk.change(BLOCK + 100, 10);

    assertThat(read(disk, BLOCK, BLOCK)).isEmpty();
    assertThat(read(disk, 0, BLOCK)).isPresent();
    end.run();
    assertThat(read(disk, BLOCK, BLOCK)).isEmpty();
  }

  @Test
  void aFetchThatBeganBeforeAChangeKeepsNothing() {
    DiskBlocks.Fetch fetch = disk.fetch(0, BLOCK);
    disk.change(0, BLOCK).run();
    fetch.keep(bytes(1, BLOCK));

    assertThat(read(disk, 0, BLOCK)).isEmpty();
  }

  @Test
  void aFetchWithinAChangeKeepsNothing() {
    Runnable end = disk.change(0, BLOCK);
    DiskBlocks.Fetch within = disk.fetch(0, BLOCK);
    within.keep(bytes(1, BLOCK));
    assertThat(read(disk, 0, BLOCK)).isEmpty();

    end.run();
    within.keep(bytes(1, BLOCK));
    assertThat(read(disk, 0, BLOCK)).isEmpty();
    keep(disk, 0, bytes(2, BLOCK));
    assertThat(read(disk, 0, BLOCK)).contains(bytes(2, BLOCK));
  }

  @Test
  void aLongChangeForgetsTheDisk() {
    keep(disk, 0, bytes(1, BLOCK));
    DiskBlocks.Fetch before = disk.fetch(BLOCK, BLOCK);
    disk.change(0, GIBIBYTE).run();
    before.keep(bytes(1, BLOCK));

    assertThat(read(disk, 0, BLOCK)).isEmpty();
    assertThat(read(disk, BLOCK, BLOCK)).isEmpty();
    keep(disk, 0, bytes(2, BLOCK));
    assertThat(read(disk, 0, BLOCK)).contains(bytes(2, BLOCK));
  }

  @Test
  void aShortChangeWithinALongOneIsNoticed() {
    Runnable small = disk.change(0, BLOCK);
    disk.change(0, GIBIBYTE).run();
    DiskBlocks.Fetch fetch = disk.fetch(0, BLOCK);
    small.run();
    fetch.keep(bytes(1, BLOCK));

    assertThat(read(disk, 0, BLOCK)).isEmpty();
  }

  @Test
  void disksDoNotSeeEachOthersBlocks() {
    keep(disk, 0, bytes(1, BLOCK));

    assertThat(read(cache.open(), 0, BLOCK)).isEmpty();
  }

  @Test
  void longReadsAreNeitherKeptNorFound() {
    keep(disk, 0, bytes(1, 3 << 20));

    assertThat(read(disk, 0, BLOCK)).isEmpty();
    assertThat(read(disk, 0, 3 << 20)).isEmpty();
  }

  @Test
  void anEmptyCacheKeepsNothing() {
    DiskBlocks none = new BlockCache(0).open();
    keep(none, 0, bytes(1, BLOCK));

    assertThat(read(none, 0, BLOCK)).isEmpty();
  }

  @Test
  void aFullCacheGivesRightBytesAndKeepsWhatIsRead() {
    RandomGenerator random = new Random(5);
    int blocks = 3 * (16 << 20) / BLOCK;
    keep(disk, 0, bytes(0, BLOCK));
    int kept = 0;
    for (int i = 1; i < blocks; i++) {
      keep(disk, (long) i * BLOCK, bytes(i, BLOCK));
      int looked = random.nextInt(i);
      var found = read(disk, (long) looked * BLOCK, BLOCK);
      if (found.isPresent()) {
        assertThat(found).contains(bytes(looked, BLOCK));
        kept++;
      }
      if (i % 64 == 0) {
        assertThat(read(disk, 0, BLOCK)).as("a block that is read again and again").isPresent();
      }
    }
    assertThat(kept).isGreaterThan(blocks / 4);
  }

  /** Reads and keeps many blocks; returns how many were found right behind that. */
  private static int use(DiskBlocks blocks, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      keep(blocks, (long) i * BLOCK, bytes(i, BLOCK));
      var read = read(blocks, (long) i * BLOCK, BLOCK);
      if (read.isPresent()) {
        assertThat(read).contains(bytes(i, BLOCK));
        found++;
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(longs = {4 << 10, 64 << 10, 256 << 10, 300 << 10, 1 << 20, 5_000_000, 20_000_000})
  void theMemoryOfACacheHasItsBound(long most) {
    var allocated = new AtomicLong();
    var small =
        new BlockCache(
            most,
            bytes -> {
              allocated.addAndGet(bytes);
              return ByteBuffer.allocate(bytes);
            });
    use(small.open(), 10_000);

    assertThat(allocated.get()).isBetween(most * 9 / 10 - BlockCache.STRIPES * 8L * BLOCK, most);
  }

  @Test
  void aCacheWithoutMemoryKeepsWhatItCan() {
    var allowed = new AtomicLong(1 << 20);
    var poor =
        new BlockCache(
            16 << 20,
            bytes -> {
              if (allowed.addAndGet(-bytes) < 0) {
                throw new OutOfMemoryError("the test has no more");
              }
              return ByteBuffer.allocate(bytes);
            });
    DiskBlocks blocks = poor.open();

    assertThat(use(blocks, 10_000)).isBetween(100, 9_900);
  }
}
