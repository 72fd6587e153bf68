package corfu.runtime.stream;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The heads of entries that this client has appended itself, until a reader comes to them. Bounded;
 * the oldest are dropped first, and read from the log then. Thread-safe.
 */
final class OwnHeads {

  private static final int MOST = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Long, HeadRead.Head> heads = new LinkedHashMap<>();
  private long passedBefore;

  /** Keeps a head, unless the reader has passed its place already. */
  void add(HeadRead.Head head) {
    lock.lock();
    try {
      if (head.address().value() >= passedBefore) {
        heads.put(head.address().value(), head);
        if (heads.size() > MOST) {
          heads.pollFirstEntry();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  Optional<HeadRead.Head> get(long address) {
    lock.lock();
    try {
      return Optional.ofNullable(heads.get(address));
    } finally {
      lock.unlock();
    }
  }

  /** Drops the heads below a log address: the reader has passed them. */
  void passed(long before) {
    lock.lock();
    try {
      passedBefore = Math.max(passedBefore, before);
      heads.keySet().removeIf(address -> address < passedBefore);
    } finally {
      lock.unlock();
    }
  }
}
