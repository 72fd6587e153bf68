package corfu.access.quota;

import corfu.protocol.message.QuotaUse;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The number of different streams among those that several servers have counted, by the lowest
 * hashes of all (a k-minimum-values sketch). It is exact for few streams, and an estimate within
 * some 13 % for many. Not thread-safe.
 */
final class DistinctStreams {

  private static final int MOST = QuotaUse.MOST_SAMPLED;
  private static final double ALL_HASHES = 0x1p64;

  private final TreeSet<Long> lowest = new TreeSet<>(Long::compareUnsigned);

  void add(long hash) {
    if (lowest.size() < MOST || Long.compareUnsigned(hash, lowest.last()) < 0) {
      lowest.add(hash);
      if (lowest.size() > MOST) {
        lowest.pollLast();
      }
    }
  }

  void addAll(Collection<Long> hashes) {
    hashes.forEach(this::add);
  }

  /** Returns the lowest hashes, ascending. */
  List<Long> sample() {
    return List.copyOf(lowest);
  }

  long count() {
    if (lowest.size() < MOST) {
      return lowest.size();
    }
    long highest = lowest.last();
    double part = ((highest >>> 1) * 2.0 + (highest & 1) + 1) / ALL_HASHES;
    return Math.round((MOST - 1) / part);
  }
}
