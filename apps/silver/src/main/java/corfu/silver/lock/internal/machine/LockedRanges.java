package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of a file that one owner has locked, in their order, without overlaps. Neighbours of
 * the same type are one range. Immutable.
 */
public record LockedRanges(List<FileLock> ranges) {

  /** No locks. */
  public static final LockedRanges NONE = new LockedRanges(List.of());

  public LockedRanges {
    ranges = List.copyOf(ranges);
  }

  /** Returns whether nothing is locked. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Returns the number of ranges. */
  public int size() {
    return ranges.size();
  }

  /** Returns the first range that conflicts with a lock of another owner. */
  public Optional<FileLock> conflict(FileLock lock) {
    return ranges.stream()
        .filter(
            held ->
                overlap(held, lock)
                    && (held.type() == FileLock.Type.WRITE || lock.type() == FileLock.Type.WRITE))
        .findFirst();
  }

  /** Returns whether a part of a lock is held for writing already. */
  boolean isWeakenedBy(FileLock lock) {
    return lock.type() != FileLock.Type.WRITE && conflict(lock).isPresent();
  }

  /** Returns the ranges after the owner has taken a lock, or given a range back. */
  public LockedRanges with(FileLock lock) {
    List<FileLock> after = new ArrayList<>();
    for (FileLock held : ranges) {
      if (held.start() < lock.start()) {
        append(after, part(held, held.start(), Math.min(held.end(), lock.start() - 1)));
      }
    }
    if (lock.type() != FileLock.Type.UNLOCKED) {
      append(after, lock);
    }
    for (FileLock held : ranges) {
      if (held.end() > lock.end()) {
        append(after, part(held, Math.max(held.start(), lock.end() + 1), held.end()));
      }
    }
    return new LockedRanges(after);
  }

  /** Adds a range behind the others, and merges it with its neighbour if both have one type. */
  private static void append(List<FileLock> ranges, FileLock next) {
    if (!ranges.isEmpty()) {
      FileLock last = ranges.getLast();
      if (last.type() == next.type() && last.end() + 1 == next.start()) {
        ranges.set(
            ranges.size() - 1, new FileLock(next.type(), last.start(), next.end(), next.pid()));
        return;
      }
    }
    ranges.add(next);
  }

  private static FileLock part(FileLock held, long start, long end) {
    return new FileLock(held.type(), start, end, held.pid());
  }

  private static boolean overlap(FileLock one, FileLock other) {
    return one.start() <= other.end() && other.start() <= one.end();
  }
}
