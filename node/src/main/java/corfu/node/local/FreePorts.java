package corfu.node.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Finds free ports that stay free until a program asks for them by number. Ports that systems use
 * for outgoing connections may be occupied at any moment, so they are excluded.
 */
public final class FreePorts {

  /** The lowest port: the range is below that of outgoing connections. */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 200;

  private FreePorts() {}

  /**
   * Returns the first of {@code count} consecutive ports that are free on the loopback interface
   * now.
   *
   * @throws LocalClusterException if there are none
   */
  public static int consecutive(int count, RandomGenerator random) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int first = random.nextInt(LOWEST, HIGHEST - count);
      if (areFree(first, count)) {
        return first;
      }
    }
    throw new LocalClusterException(
        "no %d consecutive free ports from %d to %d".formatted(count, LOWEST, HIGHEST));
  }

  private static boolean areFree(int first, int count) {
    for (int port = first; port < first + count; port++) {
      try (var socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
