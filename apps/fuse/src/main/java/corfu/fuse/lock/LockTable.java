package corfu.fuse.lock;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileLock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The locks of one kind in a file system: either those of byte ranges ({@code fcntl}), or those of
 * whole files ({@code flock}), which are ranges of all bytes.
 *
 * <p>A request that waits is a future. It completes when the lock is free, and then the owner has
 * the lock. If somebody else completes the future first, the owner does not get the lock. Owners
 * that wait for one another get EDEADLK. The number of locks and of waiting requests has a bound;
 * above it requests fail with ENOLCK. Thread-safe.
 */
public final class LockTable {

  private final int capacity;
  private final Map<Long, NodeLocks> nodes = new HashMap<>();
  private int size;

  /**
   * Returns an empty table.
   *
   * @param capacity the number of locks and waiting requests at most, at least 1
   */
  public LockTable(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Takes a lock, changes its type, or gives it back.
   *
   * @param node the file
   * @param owner the owner; its own locks never conflict
   * @param lock the lock
   * @param waits whether to wait for other owners; otherwise a conflict fails with EAGAIN
   */
  public synchronized CompletableFuture<Result<Done>> set(
      long node, long owner, FileLock lock, boolean waits) {
    NodeLocks locks = nodes.computeIfAbsent(node, _ -> new NodeLocks());
    Result<Done> outcome;
    if (lock.type() == FileLock.Type.UNLOCKED || locks.conflict(owner, lock).isEmpty()) {
      outcome = has(lock) ? apply(locks, owner, lock) : Result.failed(Errno.ENOLCK);
    } else if (!waits) {
      outcome = Result.failed(Errno.EAGAIN);
    } else if (!has(lock)) {
      outcome = Result.failed(Errno.ENOLCK);
    } else if (wouldDeadlock(locks, owner, lock)) {
      outcome = Result.failed(Errno.EDEADLK);
    } else {
      Waiter waiter = new Waiter(owner, lock, new CompletableFuture<>());
      locks.waiters.add(waiter);
      size++;
      return waiter.outcome;
    }
    dropIfEmpty(node, locks);
    return CompletableFuture.completedFuture(outcome);
  }

  private boolean has(FileLock lock) {
    return lock.type() == FileLock.Type.UNLOCKED || size < capacity;
  }

  /**
   * Returns a lock that conflicts, or one of the type UNLOCKED.
   *
   * @param node the file
   * @param owner the owner
   * @param lock the lock that the owner would take
   */
  public synchronized FileLock test(long node, long owner, FileLock lock) {
    NodeLocks locks = nodes.get(node);
    FileLock none = new FileLock(FileLock.Type.UNLOCKED, lock.start(), lock.end(), 0);
    return locks == null ? none : locks.conflict(owner, lock).map(held -> held.lock).orElse(none);
  }

  /** Gives back all locks of an owner on a file. */
  public synchronized void release(long node, long owner) {
    NodeLocks locks = nodes.get(node);
    if (locks != null) {
      var unused = apply(locks, owner, new FileLock(FileLock.Type.UNLOCKED, 0, Long.MAX_VALUE, 0));
      dropIfEmpty(node, locks);
    }
  }

  /** Returns the number of locks and of waiting requests. */
  public synchronized int size() {
    return size;
  }

  private void dropIfEmpty(long node, NodeLocks locks) {
    if (locks.held.isEmpty() && locks.waiters.isEmpty()) {
      nodes.remove(node);
    }
  }

  private Result<Done> apply(NodeLocks locks, long owner, FileLock lock) {
    int before = locks.held.size();
    locks.replace(owner, lock);
    size += locks.held.size() - before;
    grant(locks);
    return Result.done();
  }

  /** Gives locks to those that wait, in the order of their requests. */
  private void grant(NodeLocks locks) {
    for (int i = 0; i < locks.waiters.size(); i++) {
      Waiter waiter = locks.waiters.get(i);
      boolean gaveUp = waiter.outcome.isDone();
      if (!gaveUp && locks.conflict(waiter.owner, waiter.lock).isPresent()) {
        continue;
      }
      locks.waiters.remove(i);
      size--;
      i = -1; // this grant may have split or changed ranges that others wait for
      if (gaveUp) {
        continue;
      }
      List<Held> before = List.copyOf(locks.held);
      locks.replace(waiter.owner, waiter.lock);
      if (waiter.outcome.complete(Result.done())) {
        size += locks.held.size() - before.size();
      } else {
        locks.held.clear();
        locks.held.addAll(before);
      }
    }
  }

  /** Returns whether an owner in the way waits, directly or not, for the new owner. */
  private boolean wouldDeadlock(NodeLocks locks, long owner, FileLock lock) {
    Set<Long> seen = new HashSet<>();
    List<Long> open = new ArrayList<>(locks.ownersInTheWay(owner, lock));
    while (!open.isEmpty()) {
      long next = open.removeLast();
      if (next == owner) {
        return true;
      }
      if (seen.add(next)) {
        for (NodeLocks other : nodes.values()) {
          for (Waiter waiter : other.waiters) {
            if (waiter.owner == next && !waiter.outcome.isDone()) {
              open.addAll(other.ownersInTheWay(next, waiter.lock));
            }
          }
        }
      }
    }
    return false;
  }

  private record Held(long owner, FileLock lock) {}

  private record Waiter(long owner, FileLock lock, CompletableFuture<Result<Done>> outcome) {}

  /** The locks of one file. */
  private static final class NodeLocks {
    private final List<Held> held = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();

    Optional<Held> conflict(long owner, FileLock lock) {
      return held.stream().filter(other -> conflicts(other, owner, lock)).findFirst();
    }

    List<Long> ownersInTheWay(long owner, FileLock lock) {
      return held.stream().filter(other -> conflicts(other, owner, lock)).map(Held::owner).toList();
    }

    private static boolean conflicts(Held other, long owner, FileLock lock) {
      return other.owner != owner
          && (other.lock.type() == FileLock.Type.WRITE || lock.type() == FileLock.Type.WRITE)
          && overlap(other.lock, lock);
    }

    private static boolean overlap(FileLock one, FileLock other) {
      return one.start() <= other.end() && other.start() <= one.end();
    }

    /** Cuts the range out of the owner's locks, and puts the new lock there. */
    void replace(long owner, FileLock lock) {
      List<Held> rest = new ArrayList<>();
      for (Held one : held) {
        if (one.owner != owner || !overlap(one.lock, lock)) {
          rest.add(one);
          continue;
        }
        FileLock old = one.lock;
        if (old.start() < lock.start()) {
          rest.add(new Held(owner, part(old, old.start(), lock.start() - 1)));
        }
        if (old.end() > lock.end()) {
          rest.add(new Held(owner, part(old, lock.end() + 1, old.end())));
        }
      }
      if (lock.type() != FileLock.Type.UNLOCKED) {
        rest.add(new Held(owner, lock));
      }
      held.clear();
      held.addAll(rest);
    }

    private static FileLock part(FileLock lock, long start, long end) {
      return new FileLock(lock.type(), start, end, lock.pid());
    }
  }
}
