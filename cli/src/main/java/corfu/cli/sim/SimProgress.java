package corfu.cli.sim;

import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows the progress of simulations on standard error: one changing line on a terminal, or else a
 * line from time to time.
 */
final class SimProgress implements AutoCloseable {

  private static final long REDRAW_MILLIS = 500;
  private static final long PLAIN_MILLIS = 10_000;

  private final Terminal terminal;
  private final SimTally tally;
  private final boolean moving;
  private final long started = System.nanoTime();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread painter;

  SimProgress(Terminal terminal, SimTally tally) {
    this.terminal = terminal;
    this.tally = tally;
    this.moving = terminal.interactive().getAsBoolean();
    this.painter = Thread.ofPlatform().daemon().name("progress").start(this::paint);
  }

  private void paint() {
    try {
      while (!closed.await(moving ? REDRAW_MILLIS : PLAIN_MILLIS, TimeUnit.MILLISECONDS)) {
        String text = text();
        if (moving) {
          draw("\r\033[K" + text);
        } else {
          terminal.note(text);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String text() {
    return "%,d runs, %d failed; %,d operations, %,d faults, %s simulated in %s"
        .formatted(
            tally.runs(),
            tally.failed(),
            SimTally.sum(tally.operations()),
            SimTally.sum(tally.faults()),
            SimTally.words(tally.simulated()),
            SimTally.words(Duration.ofNanos(System.nanoTime() - started)));
  }

  private void draw(String text) {
    var err = terminal.errWriter();
    err.print(text);
    err.flush();
  }

  /** Erases the line before a result. */
  void clear() {
    if (moving) {
      draw("\r\033[K");
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      painter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clear();
  }
}
