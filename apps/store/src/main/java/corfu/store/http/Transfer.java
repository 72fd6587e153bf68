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
   * @param head the longest time of a request's head
   * @param whole the longest time of a body or a response
   * @param window the time in which a body or a response moves {@code windowBytes}
   * @param windowBytes the smallest number of bytes in a window, 1 or more
   */
  record Limits(Duration head, Duration whole, Duration window, long windowBytes) {}

  private static final World.Timer NONE = () -> {};

  private final ReentrantLock lock = new ReentrantLock();
  private final World world;
  private final Limits limits;
  private final Runnable onCut;
  private final Thread thread = Thread.currentThread();

  private boolean isWaiting; // for the client; only then may cut() interrupt the thread
  private boolean isCut;
  private long part; // counts heads, bodies and replies: a timer belongs to one of them
  private long began; // start of the current part
  private long moved; // bytes in the window
  private World.Timer timer = NONE;

  /** Starts with the head of a request, which the calling thread reads. */
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

  /** Starts a body or a response. */
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

  /** Checks the transfer at the end of a window of this part; a head has one window. */
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

  /** Counts bytes that the client has sent or read. */
  void moved(long bytes) {
    lock.lock();
    try {
      moved += bytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the head, the body or the response.
   *
   * @throws IOException if the transfer was cut
   */
  void end() throws IOException {
    if (!finish()) {
      throw new IOException("the client was too slow: its connection was cut");
    }
  }

  /** Ends the transfer. Returns false if it was cut. */
  boolean finish() {
    lock.lock();
    try {
      isWaiting = false;
      timer.cancel();
      timer = NONE;
      if (isCut) {
        var unused = Thread.interrupted(); // clears an interrupt of the last wait
      }
      return !isCut;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the start of its wait for the client, by the world's clock, or empty if it does not
   * wait.
   */
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
