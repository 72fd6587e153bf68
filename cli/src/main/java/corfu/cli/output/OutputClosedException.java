package corfu.cli.output;

import java.io.IOException;

/** Nobody reads the command's output any more, as after {@code | head}. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(IOException cause) {
    super(cause);
  }
}
