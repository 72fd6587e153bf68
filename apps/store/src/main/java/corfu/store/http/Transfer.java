package corfu.store.http;

import corfu.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One request's use of its connection: the head arrives, the body arrives, the reply leaves. Each
 * of them has a time limit, and a body and a reply a minimum rate as well. A transfer beyond a
 * limit is cut: the connection closes, and the thread that waits for the client gets an {@link
 * IOException}. While the store works for the request, nothing is limited here. Thread-safe.
 */
final class Transfer {

  /**
   * The limits.
   *
   * @param head how long a request's head may take
   * @param whole how long a body, or a reply, may take in all
   * @param window in each window of this length a body or a reply moves {@code windowBytes}
   * @param windowBytes at least 1
   */
  record Limits(Duration head, Duration whole, Duration window, long windowBytes) {}

  private static final World.Timer NONE = () -> {};

  private final ReentrantLock lock = new ReentrantLock();
  private final World world;
  private final Limits limits;
  private final Runnable onCut;
  private final Thread thread = Thread.currentThread();

  private boolean isWaiting; // for the client: only then may the thread be interrupted
  private boolean isCut;
  private long part; // counts heads, bodies and replies: a timer belongs to one of them
  private long began; // the part that is under way
  private long moved; // bytes in the window
  private World.Timer timer = NONE;

  /** Begins with the head of a request, which the calling thread reads. */
  Transfer(World world, Limits limits, Runnable onCut) {
    this.world = world;
    this.limits = limits;
    this.onCut = onCut;
    begin();
    timer = world.after(limits.head().toNanos(), () -> look(1));
  }

  private void begin() {
    isWaiting = true;
    part++;
    began = world.nanoTime();
    moved = 0;
  }

  /** A body, or a reply, begins to move. */
  void start() {
    lock.lock();
    try {
      begin();
      nextWindow();
    } finally {
      lock.unlock();
    }
  }

  private void nextWindow() {
    long left = limits.whole().toNanos() - (world.nanoTime() - began);
    long timed = part;
    timer = world.after(Math.clamp(left, 0, limits.window().toNanos()), () -> look(timed));
  }

  /** At the end of a window of this part; a head has but one. */
  private void look(long timed) {
    lock.lock();
    try {
      if (!isWaiting || timed != part) {
        return;
      }
      boolean isLate = world.nanoTime() - began >= limits.whole().toNanos();
      if (isLate || moved < limits.windowBytes()) {
        cut();
      } else {
        moved = 0;
        nextWindow();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The client has sent, or taken, so many bytes. */
  void moved(long bytes) {
    lock.lock();
    try {
      moved += bytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The head, the body or the reply has come to its end.
   *
   * @throws IOException if the transfer was cut
   */
  void end() throws IOException {
    if (!finish()) {
      throw new IOException("the client was too slow: its connection was cut");
    }
  }

  /** The same where it does not matter any more; returns whether the transfer was not cut. */
  boolean finish() {
    lock.lock();
    try {
      isWaiting = false;
      timer.cancel();
      timer = NONE;
      if (isCut) {
        var unused = Thread.interrupted(); // meant for the wait that is over
      }
      return !isCut;
    } finally {
      lock.unlock();
    }
  }

  /** Since when it has waited for the client, by the world's clock; empty: it does not wait. */
  OptionalLong waitsSince() {
    lock.lock();
    try {
      return isWaiting && !isCut ? OptionalLong.of(began) : OptionalLong.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Cuts the transfer if the thread waits for the client. An interrupt closes the channel that the
   * thread reads from or writes to, whatever the streams above it do.
   */
  void cut() {
    lock.lock();
    try {
      if (isWaiting && !isCut) {
        isCut = true;
        onCut.run();
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
