package corfu.cli;

import corfu.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The exit status and the output of a command that ran inside this JVM. */
public record Ran(int status, byte[] bytes, String err) {

  public static Ran corfu(String... arguments) {
    return corfuWith("", arguments);
  }

  public static Ran corfuWith(String input, String... arguments) {
    return corfuWith(input.getBytes(StandardCharsets.UTF_8), arguments);
  }

  public static Ran corfuWith(byte[] input, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal = new Terminal(new ByteArrayInputStream(input), out, err, () -> false);
    int status = on(terminal, arguments);
    return new Ran(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command whose output is a terminal of this width. */
  public static Ran corfuOnTerminal(int columns, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal =
        new Terminal(
            InputStream.nullInputStream(), out, err, () -> false, () -> true, () -> columns);
    int status = on(terminal, arguments);
    return new Ran(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command whose streams a test wants to hold, and returns its exit status. */
  public static int on(Terminal terminal, String... arguments) {
    return Main.run(terminal, arguments);
  }

  public String out() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public List<String> lines() {
    return out().lines().toList();
  }
}
