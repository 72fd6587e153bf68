package corfu.cli.output;

/**
 * Shows the state of a long task on standard error: one changing line on a terminal, or else a line
 * every two seconds at most. For one thread.
 */
public final class StatusLine implements AutoCloseable {

  private static final long PLAIN_NANOS = 2_000_000_000L;

  private final Terminal terminal;
  private final boolean moving;
  private String shown = "";
  private long shownAt;

  public StatusLine(Terminal terminal) {
    this.terminal = terminal;
    this.moving = terminal.interactive().getAsBoolean();
  }

  public void show(String state) {
    long now = System.nanoTime();
    boolean isDue = moving || shown.isEmpty() || now - shownAt > PLAIN_NANOS;
    if (state.equals(shown) || !isDue) {
      return;
    }
    if (moving) {
      var err = terminal.errWriter();
      err.print("\r\033[K" + state);
      err.flush();
    } else {
      terminal.note(state);
    }
    shown = state;
    shownAt = now;
  }

  /** Erases the line. */
  @Override
  public void close() {
    if (moving && !shown.isEmpty()) {
      var err = terminal.errWriter();
      err.print("\r\033[K");
      err.flush();
    }
  }
}
