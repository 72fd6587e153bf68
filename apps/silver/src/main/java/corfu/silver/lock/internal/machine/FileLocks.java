package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.internal.command.LockOwner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The locks of one kind on one file, and the requests that wait for them. */
final class FileLocks {

  /**
   * A request that waits.
   *
   * @param owner the owner
   * @param request its number in the owner's session
   * @param lock the lock
   */
  record Waiter(LockOwner owner, long request, FileLock lock) {}

  /** A lock, and its owner. */
  record Held(LockOwner owner, FileLock lock) {}

  private final Map<LockOwner, LockedRanges> held = new LinkedHashMap<>();
  private final List<Waiter> waiters = new ArrayList<>();

  /** Returns the locks of all owners that have some. */
  Map<LockOwner, LockedRanges> held() {
    return held;
  }

  /** Returns the waiting requests, the oldest first. */
  List<Waiter> waiters() {
    return waiters;
  }

  LockedRanges of(LockOwner owner) {
    return held.getOrDefault(owner, LockedRanges.NONE);
  }

  /** Replaces the locks of an owner. */
  void put(LockOwner owner, LockedRanges ranges) {
    if (ranges.isEmpty()) {
      held.remove(owner);
    } else {
      held.put(owner, ranges);
    }
  }

  boolean isEmpty() {
    return held.isEmpty() && waiters.isEmpty();
  }

  /** Returns a lock of another owner that conflicts. */
  Optional<Held> conflict(LockOwner owner, FileLock lock) {
    for (Map.Entry<LockOwner, LockedRanges> other : held.entrySet()) {
      if (!other.getKey().equals(owner)) {
        Optional<FileLock> range = other.getValue().conflict(lock);
        if (range.isPresent()) {
          return Optional.of(new Held(other.getKey(), range.get()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the owners that a lock would wait for. */
  List<LockOwner> ownersInTheWay(LockOwner owner, FileLock lock) {
    List<LockOwner> found = new ArrayList<>();
    held.forEach(
        (other, ranges) -> {
          if (!other.equals(owner) && ranges.conflict(lock).isPresent()) {
            found.add(other);
          }
        });
    return found;
  }
}
