package corfu.runtime.internal.layout;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether a server answers what it is asked. Instants are readings of the world's clock in
 * nanoseconds. Thread-safe.
 */
final class ServerContact {

  private final long freshNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Requests without an outcome. */
  private int waiting;

  /** Whether the server has been asked since its last answer. */
  private boolean silent;

  /** When it was asked first since its last answer. */
  private long silentSince;

  private boolean probeFailed;
  private long failedAt;
  private boolean everAnswered;
  private long answeredAt;

  /**
   * @param freshNanos for how long an answer, or a failure, says something about the server
   */
  ServerContact(long freshNanos) {
    this.freshNanos = freshNanos;
  }

  /** The server is asked something that it answers soon. */
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

  /** The server has answered what it was asked. */
  void answered(long now) {
    lock.lock();
    try {
      waiting--;
      heard(now);
    } finally {
      lock.unlock();
    }
  }

  /** The server has answered something else. */
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

  /** No answer has come to what it was asked. */
  void failed(long now) {
    lock.lock();
    try {
      waiting--;
      failedAt = now;
    } finally {
      lock.unlock();
    }
  }

  /** The request has not left the client, which says nothing about the server. */
  void notSent() {
    lock.lock();
    try {
      waiting--;
      silent &= waiting > 0;
    } finally {
      lock.unlock();
    }
  }

  /** The server has not answered a request that servers answer at once. */
  void probeFailed() {
    lock.lock();
    try {
      probeFailed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the server has been asked, and has not answered anything for so long. */
  boolean isSilent(long nanos, long now) {
    lock.lock();
    try {
      return silent && now - silentSince >= nanos && (waiting > 0 || now - failedAt <= freshNanos);
    } finally {
      lock.unlock();
    }
  }

  /** The same, and a probe has failed, too. */
  boolean isUnreachable(long nanos, long now) {
    lock.lock();
    try {
      return probeFailed && isSilent(nanos, now);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the server has answered lately. */
  boolean isReached(long now) {
    lock.lock();
    try {
      return everAnswered && now - answeredAt <= freshNanos;
    } finally {
      lock.unlock();
    }
  }
}
