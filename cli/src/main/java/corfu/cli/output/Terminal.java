package corfu.cli.output;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;

/**
 * The streams that a command reads and writes. They are the process's own, without the buffers of
 * {@link System#out}, which swallow failures: a closed pipe must end a command.
 *
 * @param interactive whether a person types the input and watches the output
 * @param displaysOutput whether {@code out} is a terminal, and not a pipe or a file
 * @param columns the width of the terminal in columns, or 0 if there is none
 */
public record Terminal(
    InputStream in,
    OutputStream out,
    OutputStream err,
    BooleanSupplier interactive,
    BooleanSupplier displaysOutput,
    IntSupplier columns) {

  /** The streams of a person at a terminal, or of no person at all. */
  public Terminal(InputStream in, OutputStream out, OutputStream err, BooleanSupplier interactive) {
    this(in, out, err, interactive, interactive, () -> 0);
  }

  public static Terminal ofThisProcess() {
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        Terminal::hasConsole,
        Terminal::displaysStandardOutput,
        Terminal::columnsOfStandardOutput);
  }

  /** Loads native code, so it is called only before bytes that are not text are printed. */
  private static boolean displaysStandardOutput() {
    try {
      return TerminalProvider.load("ffm").isSystemStream(SystemStream.Output);
    } catch (IOException | RuntimeException | LinkageError unknown) {
      return hasConsole();
    }
  }

  /** Loads native code, so it is called only before help is printed. */
  private static int columnsOfStandardOutput() {
    try {
      var provider = TerminalProvider.load("ffm");
      return provider.isSystemStream(SystemStream.Output)
          ? provider.systemStreamWidth(SystemStream.Output)
          : 0;
    } catch (IOException | RuntimeException | LinkageError unknown) {
      return 0;
    }
  }

  private static boolean hasConsole() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  public PrintWriter outWriter() {
    return new PrintWriter(out, true, StandardCharsets.UTF_8);
  }

  public PrintWriter errWriter() {
    return new PrintWriter(err, true, StandardCharsets.UTF_8);
  }

  /** Prints a line on standard error that is not part of the command's result. */
  public void note(String line) {
    errWriter().println(line);
  }
}
