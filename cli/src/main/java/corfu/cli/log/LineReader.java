package corfu.cli.log;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the lines of a stream as bytes, without their ends, in any encoding. The last line needs no
 * end. It holds one line of bounded length in memory.
 */
public final class LineReader implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final int longest;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private long number;

  /**
   * @param longest the largest length of a line in bytes
   */
  public LineReader(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  /** Returns the number of lines that were read. */
  public long number() {
    return number;
  }

  /**
   * Returns the next line, or empty behind the last one.
   *
   * @throws CommandException if the line is too long
   */
  public Optional<byte[]> next() {
    byte[] line = new byte[0];
    while (fill()) {
      int end = endOfLine();
      int start = line.length;
      int more = end - position;
      if (start + (long) more > longest) {
        throw new CommandException(
            ExitCode.TOO_LARGE,
            "line %d is longer than the %d bytes that an entry may have"
                .formatted(number + 1, longest));
      }
      line = Arrays.copyOf(line, start + more);
      System.arraycopy(buffer, position, line, start, more);
      boolean complete = end < limit;
      position = complete ? end + 1 : end;
      if (complete) {
        number++;
        return Optional.of(line);
      }
    }
    if (line.length == 0) {
      return Optional.empty();
    }
    number++;
    return Optional.of(line);
  }

  private int endOfLine() {
    int end = position;
    while (end < limit && buffer[end] != '\n') {
      end++;
    }
    return end;
  }

  private boolean fill() {
    if (position < limit) {
      return true;
    }
    try {
      limit = Math.max(0, in.read(buffer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    position = 0;
    return limit > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
