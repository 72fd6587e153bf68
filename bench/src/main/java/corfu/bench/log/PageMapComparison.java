package corfu.bench.log;

import corfu.roles.logunit.pagemap.PageMap;
import corfu.world.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compares the page map's costs to those of other maps, as in figure 6 of the SLICE paper. Entries
 * of a dense address space are inserted in order, then looked up all over it.
 *
 * <p>The maps take turns, so that a disturbance of the machine affects all of them, and medians
 * over the rounds are reported. The chained table has its final size from the start, which favours
 * it; the others grow. Memory on the heap is computed, not measured, from the sizes of objects with
 * compressed references.
 */
public final class PageMapComparison {

  private static final int REFERENCE_BYTES = 4;

  /** The names in {@link Row#name}. */
  private static final String PAGE_MAP = "page map (cuckoo)";

  private static final String CHAINED = "chained table";
  private static final String HASH_MAP = "java.util.HashMap";

  private PageMapComparison() {}

  /**
   * The costs of one map.
   *
   * @param name the map's name
   * @param entries the number of entries
   * @param insertNanos the time of an insertion in nanoseconds, growth included; the median of the
   *     rounds
   * @param lookupNanos the time of a lookup of a present address in nanoseconds; the median of the
   *     rounds
   * @param bytesPerEntry the memory for each entry in bytes
   */
  public record Row(
      String name, int entries, double insertNanos, double lookupNanos, double bytesPerEntry) {}

  /**
   * Compares the maps, the page map first. Blocks for about {@code entries * rounds} microseconds.
   *
   * @param world the clock
   * @param entries the number of entries in each map, 1 or more
   * @param rounds how often each map is filled and read, 1 or more; the first rounds warm up
   * @throws IllegalStateException if a map does not return a value that was put into it
   */
  public static List<Row> run(World world, int entries, int rounds) {
    List<Contest> contests =
        List.of(
            new Contest(PAGE_MAP, entries, rounds, CuckooSubject::new),
            new Contest(CHAINED, entries, rounds, () -> new ChainedSubject(entries)),
            new Contest(HASH_MAP, entries, rounds, HashMapSubject::new));
    for (int round = 0; round < rounds; round++) {
      for (Contest contest : contests) {
        contest.runOnce(world, round);
      }
    }
    List<Row> rows = new ArrayList<>();
    contests.forEach(contest -> rows.add(contest.row()));
    return rows;
  }

  /** The rounds of one map. */
  private static final class Contest {
    private final String name;
    private final int entries;
    private final Supplier<Subject> subjects;
    private final double[] insertNanos;
    private final double[] lookupNanos;
    private double bytesPerEntry;

    Contest(String name, int entries, int rounds, Supplier<Subject> subjects) {
      this.name = name;
      this.entries = entries;
      this.subjects = subjects;
      this.insertNanos = new double[rounds];
      this.lookupNanos = new double[rounds];
    }

    void runOnce(World world, int round) {
      try (Subject subject = subjects.get()) {
        long start = world.nanoTime();
        for (long i = 0; i < entries; i++) {
          subject.put(i, i + 1);
        }
        long filled = world.nanoTime();
        long wrong = 0;
        for (long i = 0; i < entries; i++) {
          long address = scattered(i);
          wrong |= subject.get(address) ^ (address + 1);
        }
        long read = world.nanoTime();
        if (wrong != 0) {
          throw new IllegalStateException(name + " lost or changed one of " + entries + " entries");
        }
        insertNanos[round] = (double) (filled - start) / entries;
        lookupNanos[round] = (double) (read - filled) / entries;
        bytesPerEntry = (double) subject.bytes() / entries;
      }
    }

    /**
     * Returns an address far from the previous one, without a division, which would cost as much as
     * a lookup.
     */
    private long scattered(long i) {
      return (((i * 0x9e3779b1L) & 0xffffffffL) * entries) >>> 32;
    }

    Row row() {
      return new Row(name, entries, median(insertNanos), median(lookupNanos), bytesPerEntry);
    }

    private static double median(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return sorted[sorted.length / 2];
    }
  }

  /** A compared map. */
  private interface Subject extends AutoCloseable {
    void put(long address, long value);

    long get(long address);

    long bytes();

    @Override
    default void close() {}
  }

  private static final class CuckooSubject implements Subject {
    private final PageMap map = new PageMap();

    @Override
    public void put(long address, long value) {
      map.put(address, value);
    }

    @Override
    public long get(long address) {
      return map.get(address);
    }

    @Override
    public long bytes() {
      return map.memoryBytes();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private static final class ChainedSubject implements Subject {
    private final int entries;
    private final ChainedTable table;

    ChainedSubject(int entries) {
      this.entries = entries;
      this.table = new ChainedTable(entries);
    }

    @Override
    public void put(long address, long value) {
      table.put(address, value);
    }

    @Override
    public long get(long address) {
      return table.get(address);
    }

    @Override
    public long bytes() {
      return (long) entries * (ChainedTable.ENTRY_BYTES + REFERENCE_BYTES);
    }
  }

  private static final class HashMapSubject implements Subject {
    private static final int NODE_BYTES = 32;
    private static final int LONG_BYTES = 16;

    private final Map<Long, Long> map = new HashMap<>();

    @Override
    public void put(long address, long value) {
      map.put(address, value);
    }

    @Override
    public long get(long address) {
      return map.getOrDefault(address, -1L);
    }

    /**
     * Computes the size: the table has a power of two of buckets, at most three quarters of which
     * are used.
     */
    @Override
    public long bytes() {
      long leastBuckets = map.size() * 4L / 3;
      long buckets = Long.highestOneBit(Math.max(leastBuckets, 16) * 2 - 1);
      return (long) map.size() * (NODE_BYTES + 2 * LONG_BYTES) + buckets * REFERENCE_BYTES;
    }
  }
}
