package corfu.nbd;

import java.time.Duration;

/**
 * Address, security and bounds of a server.
 *
 * @param address the address to listen on
 * @param tls the TLS that clients may use, or have to
 * @param threads the number of threads that serve connections
 * @param maxConnections the number of connections; further ones are closed at once
 * @param maxRequests the number of requests in flight of a connection; nothing is read beyond
 * @param maxConnectionBytes the bytes of data of these requests; one request may exceed it
 * @param maxServerBytes the bytes of data of the requests of all connections, 32 MiB or more
 * @param handshakeTime the time until a client must have opened an export
 * @param stallTime the time after which a connection is closed that neither sends the rest of a
 *     request nor accepts replies, while others wait for the memory that it holds
 * @param closeTime the time that requests in flight have when the server is closed
 */
public record NbdServerOptions(
    NbdAddress address,
    NbdTls tls,
    int threads,
    int maxConnections,
    int maxRequests,
    long maxConnectionBytes,
    long maxServerBytes,
    Duration handshakeTime,
    Duration stallTime,
    Duration closeTime) {

  private static final int MEBIBYTE = 1 << 20;
  private static final int LARGEST_REQUEST_BYTES = 32 * MEBIBYTE;
  private static final int MOST_DEFAULT_THREADS = 4;

  /**
   * Creates the options.
   *
   * @throws IllegalArgumentException if a number is not positive, or the server's bytes have no
   *     room for the largest request
   */
  public NbdServerOptions {
    requirePositive("threads", threads);
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxRequests", maxRequests);
    requirePositive("maxConnectionBytes", maxConnectionBytes);
    requirePositive("handshakeTime", handshakeTime.toMillis());
    requirePositive("stallTime", stallTime.toMillis());
    requirePositive("closeTime", closeTime.toMillis());
    if (maxServerBytes < LARGEST_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "maxServerBytes is %d; the largest request has %d bytes"
              .formatted(maxServerBytes, LARGEST_REQUEST_BYTES));
    }
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it has to be positive");
    }
  }

  /** Returns the usual options of a server without TLS. */
  public static NbdServerOptions at(NbdAddress address) {
    return new NbdServerOptions(
        address,
        new NbdTls.Off(),
        Math.min(MOST_DEFAULT_THREADS, Runtime.getRuntime().availableProcessors()),
        1024,
        256,
        64L * MEBIBYTE,
        256L * MEBIBYTE,
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10));
  }

  /** Returns these options with another TLS. */
  public NbdServerOptions with(NbdTls newTls) {
    return new NbdServerOptions(
        address,
        newTls,
        threads,
        maxConnections,
        maxRequests,
        maxConnectionBytes,
        maxServerBytes,
        handshakeTime,
        stallTime,
        closeTime);
  }

  /** Returns these options with other bounds for connections and for memory. */
  public NbdServerOptions withBounds(int newMaxConnections, long newMaxServerBytes) {
    return new NbdServerOptions(
        address,
        tls,
        threads,
        newMaxConnections,
        maxRequests,
        maxConnectionBytes,
        newMaxServerBytes,
        handshakeTime,
        stallTime,
        closeTime);
  }

  /** Returns these options with other times. */
  public NbdServerOptions withTimes(
      Duration newHandshakeTime, Duration newStallTime, Duration newCloseTime) {
    return new NbdServerOptions(
        address,
        tls,
        threads,
        maxConnections,
        maxRequests,
        maxConnectionBytes,
        maxServerBytes,
        newHandshakeTime,
        newStallTime,
        newCloseTime);
  }
}
