package corfu.cli.log;

import corfu.cli.command.Failures;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.Terminal;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks for new entries again and again: often while there are some, seldom while there are none,
 * and also while servers are down. With a {@link NewEntrySignal} it looks at each signal.
 */
public final class Polling {

  /** The pause after new entries. */
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

  /** The longest pause without new entries. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  /** The longest wait for a signal; afterwards it looks, to report servers that are down. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Terminal terminal;
  private final CommandOutput out;
  private final Optional<NewEntrySignal> signal;

  /** Creates a loop that looks by itself. */
  public Polling(Terminal terminal, CommandOutput out) {
    this(terminal, out, Optional.empty());
  }

  /** Creates a loop that looks at each signal. */
  public Polling(Terminal terminal, CommandOutput out, NewEntrySignal signal) {
    this(terminal, out, Optional.of(signal));
  }

  private Polling(Terminal terminal, CommandOutput out, Optional<NewEntrySignal> signal) {
    this.terminal = terminal;
    this.out = out;
    this.signal = signal;
  }

  /**
   * Looks until it is done. It flushes the output before every pause.
   *
   * @param look prints new entries, and returns whether there were any. If servers are down, it may
   *     fail half-way with {@link UnavailableException}; it is called again
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
