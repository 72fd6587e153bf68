package corfu.cli.output;

import java.io.IOException;

/** The reader of the output has gone, as in {@code corfu read --all | head}. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(IOException cause) {
    super(cause);
  }
}
