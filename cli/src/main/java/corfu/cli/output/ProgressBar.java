package corfu.cli.output;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Shows the progress of a long task on standard error: a moving bar on a terminal, or else a line
 * for each quarter. Counting is thread-safe and cheap.
 */
public final class ProgressBar implements AutoCloseable {

  private static final long REDRAW_MILLIS = 100;
  private static final int WIDTH = 30;
  private static final int PLAIN_STEPS = 4;

  private final String verb;
  private final long total;
  private final Terminal terminal;
  private final boolean moving;
  private final long started = System.nanoTime();
  private final LongAdder done = new LongAdder();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread painter;
  private long stepsTold;

  public ProgressBar(String verb, long total, Terminal terminal) {
    this.verb = verb;
    this.total = total;
    this.terminal = terminal;
    this.moving = terminal.interactive().getAsBoolean();
    this.painter = Thread.ofVirtual().name("progress").start(this::paint);
  }

  public void step() {
    done.increment();
  }

  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private void paint() {
    try {
      while (!closed.await(REDRAW_MILLIS, TimeUnit.MILLISECONDS)) {
        draw(done.sum());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void draw(long now) {
    double part = total == 0 ? 1 : Math.min(1.0, (double) now / total);
    double seconds = Math.max(1e-3, elapsed().toNanos() / 1e9);
    String text =
        "%-9s %3d %%  %,d of %,d lines  %,d/s"
            .formatted(verb, (int) (part * 100), now, total, Math.round(now / seconds));
    if (moving) {
      int filled = (int) (part * WIDTH);
      String bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
      var err = terminal.errWriter();
      err.print("\r\033[K[" + bar + "] " + text);
      err.flush();
    } else {
      long steps = (long) (part * PLAIN_STEPS);
      if (steps > stepsTold) {
        stepsTold = steps;
        terminal.note(text);
      }
    }
  }

  /** Stops drawing, and erases the bar. */
  @Override
  public void close() {
    closed.countDown();
    try {
      painter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (moving) {
      var err = terminal.errWriter();
      err.print("\r\033[K");
      err.flush();
    }
  }
}
