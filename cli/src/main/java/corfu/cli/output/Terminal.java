package corfu.cli.output;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Where a command reads and writes. The streams are the process's own, without the buffers of
 * {@link System#out}, which swallow failures: a closed pipe must end a command.
 *
 * @param interactive whether a person watches
 */
public record Terminal(
    InputStream in, OutputStream out, OutputStream err, BooleanSupplier interactive) {

  public static Terminal ofThisProcess() {
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        Terminal::hasConsole);
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

  /** Tells the person something that is not the command's result. */
  public void note(String line) {
    errWriter().println(line);
  }
}
