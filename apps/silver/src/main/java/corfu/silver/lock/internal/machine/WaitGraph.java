package corfu.silver.lock.internal.machine;

import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.machine.FileLocks.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows which owners wait, and finds owners that would wait for one another. */
final class WaitGraph {

  private record Waiting(FileLocks locks, Waiter waiter) {}

  private final Map<LockOwner, List<Waiting>> waiting = new HashMap<>();

  void add(FileLocks locks, Waiter waiter) {
    waiting
        .computeIfAbsent(waiter.owner(), unused -> new ArrayList<>())
        .add(new Waiting(locks, waiter));
  }

  void remove(Waiter waiter) {
    List<Waiting> all = waiting.getOrDefault(waiter.owner(), List.of());
    if (all.removeIf(one -> one.waiter().equals(waiter)) && all.isEmpty()) {
      waiting.remove(waiter.owner());
    }
  }

  /**
   * Returns whether an owner in the way waits, directly or not, for the new owner. An owner that
   * waits for a lock of one kind gives none of the other kind back, so one graph has both kinds.
   */
  boolean wouldDeadlock(FileLocks locks, LockOwner owner, FileLock lock) {
    Set<LockOwner> seen = new HashSet<>();
    Deque<LockOwner> open = new ArrayDeque<>(locks.ownersInTheWay(owner, lock));
    while (!open.isEmpty()) {
      LockOwner next = open.removeLast();
      if (next.equals(owner)) {
        return true;
      }
      if (seen.add(next)) {
        for (Waiting other : waiting.getOrDefault(next, List.of())) {
          open.addAll(other.locks().ownersInTheWay(next, other.waiter().lock()));
        }
      }
    }
    return false;
  }
}
