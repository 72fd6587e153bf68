package corfu.bench.baseline;

import corfu.node.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A small server in a process of its own. It ends with this process, even if this process is
 * killed.
 */
public final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private ChildProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server.
   *
   * @param main prints the port on which it listens, and ends when its standard input ends
   */
  public static ChildProcess start(JavaCommand java, Class<?> main, String... arguments)
      throws IOException {
    var builder = java.withMainClass(main.getName()).with(arguments);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    var out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String port = out.readLine();
    if (port == null) {
      throw new IOException(main.getSimpleName() + " ended at once");
    }
    return new ChildProcess(process, Integer.parseInt(port));
  }

  /** Returns the port that the process has printed. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
