package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.Failures;
import corfu.cli.log.LineReader;
import corfu.cli.output.ProgressBar;
import corfu.protocol.Address;
import corfu.runtime.Log;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A client of the demo, which appends its part of the lines with many appends in flight. */
final class DemoWriter {

  /** The largest number of in-flight lines; the runtime bounds their bytes. */
  static final int IN_FLIGHT = 2048;

  private final Log log;
  private final int writer;
  private final ProgressBar progress;
  private final PauseMonitor watch;
  private final Semaphore room = new Semaphore(IN_FLIGHT);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  DemoWriter(Log log, int writer, ProgressBar progress, PauseMonitor watch) {
    this.log = log;
    this.writer = writer;
    this.progress = progress;
    this.watch = watch;
  }

  /** Appends all lines, and returns when every line is acknowledged. */
  void write(DemoInput input) throws IOException, InterruptedException {
    long count = input.parts().get(writer).lines();
    try (LineReader lines = input.open(writer)) {
      for (long number = 0; number < count && failure.get() == null; number++) {
        room.acquire();
        var entry = DemoEntry.encode(writer, number, lines.next().orElseThrow());
        var _ = log.appendAsync(entry).whenComplete(this::completed);
      }
    }
    room.acquire(IN_FLIGHT);
    Throwable reason = failure.get();
    if (reason != null) {
      Throwable cause = Failures.unwrap(reason);
      var told =
          new CommandException(Failures.exitCodeOf(cause), "appending: " + cause.getMessage());
      told.initCause(cause);
      throw told;
    }
  }

  private void completed(@Nullable Address address, @Nullable Throwable reason) {
    if (reason != null) {
      failure.compareAndSet(null, reason);
    } else if (address != null) {
      watch.appended(address);
    }
    progress.step();
    room.release();
  }
}
