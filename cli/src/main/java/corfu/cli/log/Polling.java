package corfu.cli.log;

import corfu.cli.command.Failures;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.Terminal;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks for news again and again: often while there is some, seldom while nothing happens, and on
 * and on while servers are away. Who is told of news by a {@link NewEntrySignal} need not look in
 * between.
 */
public final class Polling {

  /** While entries come in, somebody is asked this often. */
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

  /** Where nothing happens, this often. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  /** With a signal, this often all the same: to say so when servers are away. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Terminal terminal;
  private final CommandOutput out;
  private final Optional<NewEntrySignal> signal;

  Polling(Terminal terminal, CommandOutput out) {
    this(terminal, out, Optional.empty());
  }

  /** Looks at each signal. */
  public Polling(Terminal terminal, CommandOutput out, NewEntrySignal signal) {
    this(terminal, out, Optional.of(signal));
  }

  private Polling(Terminal terminal, CommandOutput out, Optional<NewEntrySignal> signal) {
    this.terminal = terminal;
    this.out = out;
    this.signal = signal;
  }

  /**
   * Returns when it is done. The output is flushed before every pause.
   *
   * @param look whether there was something new. When servers are away it may end half-way, as
   *     {@link UnavailableException}, and is called again.
   */
  public void until(BooleanSupplier isDone, BooleanSupplier look) throws InterruptedException {
    Duration pause = SHORTEST_PAUSE;
    boolean away = false;
    while (!isDone.getAsBoolean()) {
      boolean isNews = false;
      try {
        isNews = look.getAsBoolean();
        away = false;
      } catch (RuntimeException e) {
        if (!(Failures.unwrap(e) instanceof UnavailableException unavailable)) {
          throw e;
        }
        if (!away) {
          out.flush();
          terminal.note("corfu: " + unavailable.getMessage() + "; still trying");
          away = true;
        }
      }
      out.flush();
      if (isNews) {
        pause = SHORTEST_PAUSE;
      } else if (signal.isPresent()) {
        signal.get().await(LONGEST_WAIT);
      } else {
        Thread.sleep(pause);
        pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
      }
    }
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
