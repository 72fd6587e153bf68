package corfu.cli.silver;

import corfu.cli.output.Terminal;
import java.util.function.LongConsumer;

/** Tells from time to time how far a long command has come. Not thread-safe. */
final class Progress implements LongConsumer {

  /** The number of names between two lines. */
  private static final long EVERY = 10_000;

  private final Terminal terminal;
  private final String done;

  /**
   * @param done the word for what is done, such as "shipped"
   */
  Progress(Terminal terminal, String done) {
    this.terminal = terminal;
    this.done = done;
  }

  @Override
  public void accept(long names) {
    if (names % EVERY == 0) {
      terminal.note("corfu: %s %,d names".formatted(done, names));
    }
  }
}
