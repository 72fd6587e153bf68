package corfu.bytes.internal.extent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

/** The memory and the time of maps. Those of a disk of 10 GiB run with {@code --long}. */
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class ExtentMapMemoryTest {

  private static final int BLOCK = 4_096;
  private static final int BLOCKS_OF_10_GIB = 2_621_440;
  private static final long MOST_BYTES_OF_EXTENT = 16;

  /** The memory of a tree of a 64-bit virtual machine with compact object headers. */
  private record Size(long extents, long bytes) {

    static Size of(ExtentMap map) {
      PageRef root = map.root();
      return root == null ? new Size(0, 0) : of(root);
    }

    private static Size of(PageRef ref) {
      long own =
          object(2 * 4 + 1) + (ref.stored() == null ? 0 : object(6 * 8 + 4 * 4) + object(24));
      return switch (ref.node()) {
        case Leaf leaf -> new Size(leaf.count(), own + object(4) + object(4 + leaf.page().length));
        case Branch branch -> {
          long extents = 0;
          long bytes = own + object(8) + object(4 + 8 * branch.count());
          bytes += object(4 + 4 * branch.count());
          for (PageRef child : branch.children()) {
            Size below = of(child);
            extents += below.extents;
            bytes += below.bytes;
          }
          yield new Size(extents, bytes);
        }
      };
    }

    private static long object(long fieldBytes) {
      return (8 + fieldBytes + 7) / 8 * 8;
    }

    double bytesOfExtent() {
      return bytes / (double) extents;
    }
  }

  /** Entries of 32 writes of blocks at random offsets, behind headers of various lengths. */
  private static ExtentMap overwritten(int blocks, long writes) {
    Random random = new Random(1);
    ExtentMap map = ExtentMap.empty();
    for (long entry = 0; entry < writes / 32; entry++) {
      List<Extent> extents = new ArrayList<>();
      long[] offsets = random.longs(32, 0, blocks).distinct().sorted().toArray();
      for (int i = 0; i < offsets.length; i++) {
        extents.add(new Extent(BLOCK * offsets[i], BLOCK, (1L << 40) + entry, 301 + BLOCK * i));
      }
      map = map.with(extents);
    }
    return map;
  }

  private static void assertSmall(String what, ExtentMap map) {
    Size size = Size.of(map);
    System.out.printf("%s: %.1f bytes for each extent%n", what, size.bytesOfExtent());
    assertThat(size.extents()).isGreaterThanOrEqualTo(1_000);
    assertThat(size.bytesOfExtent()).isLessThan(MOST_BYTES_OF_EXTENT);
  }

  @Test
  void anExtentOfRandomWritesNeeds16BytesAtMost() {
    for (int blocks : List.of(1_200, 10_000, 200_000)) {
      ExtentMap map = overwritten(blocks, 3L * blocks);
      assertSmall("random blocks", map);
      var unused = new MemoryLog(1L << 30, 4 << 20).checkpoint(map, 0);
      assertSmall("random blocks, stored", map);
    }
  }

  @Test
  void anExtentOfSequentialWritesNeeds16BytesAtMost() {
    ExtentMap map = ExtentMap.empty();
    for (long i = 0; i < 10_240; i++) {
      map = map.with(new Extent(i << 20, 1 << 20, (1L << 40) + 3 * i, 12));
    }
    assertSmall("sequential writes", map);
  }

  @Test
  void writesThatContinueEachOtherInOneEntryAreOneExtent() {
    ExtentMap map = ExtentMap.empty();
    for (int i = 0; i < 1_000; i++) {
      map = map.with(new Extent(512L * i, 512, 7, 12 + 512L * i));
    }
    assertThat(Size.of(map).extents()).isEqualTo(1);
    assertThat(map.in(0, 1 << 20)).containsExactly(new Extent(0, 512_000, 7, 12));
  }

  /** Unlike the other tests, this one counts whatever the virtual machine allocates. */
  @Test
  @EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
  void aDiskOf10GibOfRandomWritesNeeds16BytesOfHeapForEachExtent() {
    long before = liveHeapBytes();
    ExtentMap map = overwritten(BLOCKS_OF_10_GIB, 3L * BLOCKS_OF_10_GIB);
    long bytes = liveHeapBytes() - before;
    Size size = Size.of(map);
    System.out.printf(
        "%d extents of random writes: %.1f bytes of heap each, %.1f counted%n",
        size.extents(), bytes / (double) size.extents(), size.bytesOfExtent());
    assertThat(bytes / size.extents()).isLessThan(MOST_BYTES_OF_EXTENT);
  }

  private static long liveHeapBytes() {
    Runtime machine = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, machine.totalMemory() - machine.freeMemory());
    }
    return least;
  }

  /** The time that the thread has had a processor: others use the same ones. */
  @Test
  @EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
  void aDiskOf10GibIsOverwrittenAt300_000BlocksInASecond() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    ExtentMap map = overwritten(BLOCKS_OF_10_GIB, 2L * BLOCKS_OF_10_GIB);
    Random random = new Random(2);
    long best = Long.MAX_VALUE;
    int count = 500_000;
    for (int round = 0; round < 8; round++) {
      long begun = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < count; i++) {
        long offset = (long) BLOCK * random.nextInt(BLOCKS_OF_10_GIB);
        long address = (1L << 41) + (long) round * count + i;
        map = map.with(new Extent(offset, BLOCK, address, 12));
      }
      best = Math.min(best, threads.getCurrentThreadCpuTime() - begun);
    }
    double each = count * 1e9 / best;
    System.out.printf("%.0f K random overwrites in a second%n", each / 1_000);
    assertThat(each).isGreaterThan(300_000);
  }
}
