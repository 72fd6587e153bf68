package corfu.bench;

import corfu.node.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** An {@link EchoServer} in a process of its own; it ends with this one, whatever happens. */
final class EchoProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private EchoProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static EchoProcess start(JavaCommand java) throws IOException {
    var builder = java.withMainClass(EchoServer.class.getName()).with();
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    var out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String port = out.readLine();
    if (port == null) {
      throw new IOException("the echo server ended at once");
    }
    return new EchoProcess(process, Integer.parseInt(port));
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
