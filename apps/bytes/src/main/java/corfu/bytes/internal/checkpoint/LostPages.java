package corfu.bytes.internal.checkpoint;

import corfu.protocol.StreamId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Remembers where pages were found trimmed: no checkpoint that needs a piece at such a place, or
 * before it, is whole. Some servers may not know of the trim for a while. Thread-safe.
 */
final class LostPages {

  /** The number of arrays that are remembered; of others, a page is found trimmed once more. */
  private static final int MOST_ARRAYS = 1_024;

  private final Runnable giveUp;
  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final Map<StreamId, Long> places =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StreamId, Long> eldest) {
          return size() > MOST_ARRAYS;
        }
      };

  /**
   * @param giveUp gives up all maps in memory: versions are found anew, from whole checkpoints
   */
  LostPages(Runnable giveUp) {
    this.giveUp = giveUp;
  }

  /** Records that a page at a place of an array's stream of checkpoints is trimmed. */
  void isLost(StreamId array, long place) {
    boolean isNew;
    lock.lock();
    try {
      isNew = places.getOrDefault(array, 0L) <= place;
      places.merge(array, place + 1, Math::max);
    } finally {
      lock.unlock();
    }
    if (isNew) { // else only a caller with an old map has met it once more
      giveUp.run();
    }
  }

  /** Returns the place before which all pieces of an array's checkpoints are lost, as known. */
  long before(StreamId array) {
    lock.lock();
    try {
      return places.getOrDefault(array, 0L);
    } finally {
      lock.unlock();
    }
  }
}
