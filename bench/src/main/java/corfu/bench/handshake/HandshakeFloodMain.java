package corfu.bench.handshake;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/**
 * Floods servers with failing handshakes, in a process of its own. It prints a port. A client of
 * this port sends {@code PORT RATE MILLIS}, and receives the number of attempts and of accepted
 * connections when this time is over.
 *
 * <p>It ends when its standard input ends.
 */
public final class HandshakeFloodMain {

  private HandshakeFloodMain() {}

  /** Starts the process. */
  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    var hello = FailingHandshakes.hello();
    try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println(listening.getLocalPort());
      haltAtEndOfInput();
      try (Socket control = listening.accept()) {
        var in =
            new BufferedReader(
                new InputStreamReader(control.getInputStream(), StandardCharsets.US_ASCII));
        var out = new PrintStream(control.getOutputStream(), true, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          out.println(flood(line.split(" ", 3), hello));
        }
      }
    }
  }

  private static String flood(String[] order, byte[] hello) throws IOException {
    var target =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(order[0]));
    var flood = new FailingHandshakes(target, hello);
    flood.run(Integer.parseInt(order[1]), Long.parseLong(order[2]));
    return flood.attempts() + " " + flood.accepted();
  }

  static void haltAtEndOfInput() {
    Thread.ofPlatform()
        .daemon()
        .name("tether")
        .start(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // no input is expected
                }
              } catch (IOException ended) {
                // an unreadable input has ended, too
              }
              Runtime.getRuntime().halt(0);
            });
  }
}
