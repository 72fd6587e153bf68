package corfu.bench.handshake;

import corfu.bench.baseline.ChildProcess;
import corfu.node.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A process that floods a port with failing handshakes. For one thread. */
final class HandshakeFlood implements AutoCloseable {

  private final ChildProcess process;
  private final Socket control;
  private final PrintStream orders;
  private final BufferedReader results;

  private HandshakeFlood(ChildProcess process, Socket control) throws IOException {
    this.process = process;
    this.control = control;
    this.orders = new PrintStream(control.getOutputStream(), true, StandardCharsets.US_ASCII);
    this.results =
        new BufferedReader(
            new InputStreamReader(control.getInputStream(), StandardCharsets.US_ASCII));
  }

  static HandshakeFlood start(JavaCommand java) throws IOException {
    ChildProcess process = ChildProcess.start(java, HandshakeFloodMain.class);
    try {
      return new HandshakeFlood(
          process, new Socket(InetAddress.getLoopbackAddress(), process.port()));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  /** The finished part of a flood. */
  record Count(long attempts, long accepted) {}

  /** Begins a flood of this port of loopback. {@link #await} must follow. */
  void begin(int port, int perSecond, long millis) {
    orders.println(port + " " + perSecond + " " + millis);
  }

  /** Waits for the end of the flood. */
  Count await() throws IOException {
    String line = results.readLine();
    if (line == null) {
      throw new IOException("the process that floods the servers has ended");
    }
    String[] numbers = line.split(" ", 2);
    return new Count(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
  }

  @Override
  public void close() {
    process.close();
    try {
      control.close();
    } catch (IOException ended) {
      // the process has ended
    }
  }
}
