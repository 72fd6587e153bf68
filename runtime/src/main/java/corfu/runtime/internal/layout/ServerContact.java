package corfu.runtime.internal.layout;

import java.util.concurrent.locks.ReentrantLock;

/**
 * One server's replies to this client's requests. Times are readings of the world's clock in
 * nanoseconds. Thread-safe.
 */
final class ServerContact {

  private final long freshNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** The number of requests without an outcome. */
  private int waiting;

  /** Whether a request has been sent since the last reply. */
  private boolean silent;

  /** The time of the first request since the last reply. */
  private long silentSince;

  private boolean probeFailed;
  private long failedAt;
  private boolean everAnswered;
  private long answeredAt;

  /**
   * @param freshNanos the time in nanoseconds for which a reply or a failure tells something about
   *     the server
   */
  ServerContact(long freshNanos) {
    this.freshNanos = freshNanos;
  }

  /** Records a request that the server answers soon. */
  void sent(long now) {
    lock.lock();
    try {
      boolean isStale = silent && waiting == 0 && now - failedAt > freshNanos;
      if (!silent || isStale) {
        beginSilence(now);
      }
      waiting++;
    } finally {
      lock.unlock();
    }
  }

  private void beginSilence(long now) {
    silent = true;
    silentSince = now;
    probeFailed = false;
  }

  /** Records the reply to such a request. */
  void answered(long now) {
    lock.lock();
    try {
      waiting--;
      heard(now);
    } finally {
      lock.unlock();
    }
  }

  /** Records a reply to another request. */
  void lives(long now) {
    lock.lock();
    try {
      heard(now);
    } finally {
      lock.unlock();
    }
  }

  private void heard(long now) {
    everAnswered = true;
    answeredAt = now;
    silent = false;
    if (waiting > 0) {
      beginSilence(now);
    }
  }

  /** Records that a request got no reply. */
  void failed(long now) {
    lock.lock();
    try {
      waiting--;
      failedAt = now;
    } finally {
      lock.unlock();
    }
  }

  /** Records that a request did not leave the client, which tells nothing about the server. */
  void notSent() {
    lock.lock();
    try {
      waiting--;
      silent &= waiting > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the server did not answer a probe. */
  void probeFailed() {
    lock.lock();
    try {
      probeFailed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the server has been asked, and has not answered anything for {@code nanos}. */
  boolean isSilent(long nanos, long now) {
    lock.lock();
    try {
      return silent && now - silentSince >= nanos && (waiting > 0 || now - failedAt <= freshNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether the server is silent for {@code nanos}, and has not answered a probe either.
   */
  boolean isUnreachable(long nanos, long now) {
    lock.lock();
    try {
      return probeFailed && isSilent(nanos, now);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the server has answered lately. */
  boolean isReached(long now) {
    lock.lock();
    try {
      return everAnswered && now - answeredAt <= freshNanos;
    } finally {
      lock.unlock();
    }
  }
}
