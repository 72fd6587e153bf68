package corfu.transport.tcp;

import corfu.protocol.Limits;
import java.time.Duration;

/**
 * Bounds of a TCP server. A connection that reaches one of its own bounds is not read until it is
 * below the bound again.
 *
 * @param limits the limits of a frame's size, in both directions
 * @param maxConnections the largest number of connections; further ones are closed at once
 * @param maxUnansweredRequests the largest number of unanswered requests of one connection
 * @param maxUnansweredBytes the memory for requests of one connection, in bytes; raised to two
 *     frames of the largest size
 * @param maxUnwrittenBytes the replies that one connection's client has not read, in bytes
 * @param maxServerBytes the memory for requests of all connections, in bytes; beyond it the server
 *     answers that it is overloaded; at most half of the JVM's direct memory
 * @param maxServerUnreadBytes the memory for unread replies of all clients, in bytes, at most a
 *     quarter of the JVM's direct memory. From half of it on, a client with unread replies waits.
 * @param unreadPatience the time after which a client that reads nothing is disconnected if half of
 *     that memory is occupied
 * @param handshakeDeadline the time in which a new connection must be welcomed
 */
public record TcpServerOptions(
    Limits limits,
    int maxConnections,
    int maxUnansweredRequests,
    long maxUnansweredBytes,
    int maxUnwrittenBytes,
    long maxServerBytes,
    long maxServerUnreadBytes,
    Duration unreadPatience,
    Duration handshakeDeadline) {

  private static final long SERVER_UNREAD_BYTES = 128 << 20;
  private static final Duration UNREAD_PATIENCE = Duration.ofSeconds(5);

  /**
   * Default limits; 4,096 connections, each with 16,384 requests of 64 MiB and 32 MiB of replies;
   * 128 MiB of replies together; 10 seconds for the handshake.
   */
  public static final TcpServerOptions DEFAULT =
      new TcpServerOptions(
          Limits.DEFAULT, 4_096, 16_384, 64 << 20, 32 << 20, 256 << 20, Duration.ofSeconds(10));

  public TcpServerOptions {
    maxUnansweredBytes = Math.max(maxUnansweredBytes, 2L * limits.maxFrameBytes());
    if (maxConnections < 1
        || maxServerUnreadBytes < 1
        || maxUnansweredRequests < 1
        || maxUnwrittenBytes < 1
        || maxServerBytes < 1) {
      throw new IllegalArgumentException(
          "bounds under which nothing can be served: "
              + maxConnections
              + " connections, "
              + maxUnansweredRequests
              + " requests, "
              + maxUnwrittenBytes
              + " bytes of replies, "
              + maxServerBytes
              + " bytes in all, "
              + maxServerUnreadBytes
              + " bytes of unread replies");
    }
    if (!unreadPatience.isPositive()) {
      throw new IllegalArgumentException(
          "a client needs some time to read its replies, not " + unreadPatience);
    }
    if (!handshakeDeadline.isPositive()) {
      throw new IllegalArgumentException(
          "a client needs some time for its handshake, not " + handshakeDeadline);
    }
  }

  /** Creates options with the default bound of unread replies, and the default patience. */
  public TcpServerOptions(
      Limits limits,
      int maxConnections,
      int maxUnansweredRequests,
      long maxUnansweredBytes,
      int maxUnwrittenBytes,
      long maxServerBytes,
      Duration handshakeDeadline) {
    this(
        limits,
        maxConnections,
        maxUnansweredRequests,
        maxUnansweredBytes,
        maxUnwrittenBytes,
        maxServerBytes,
        SERVER_UNREAD_BYTES,
        UNREAD_PATIENCE,
        handshakeDeadline);
  }

  /** Returns the same options with other limits. */
  public TcpServerOptions withLimits(Limits other) {
    return new TcpServerOptions(
        other,
        maxConnections,
        maxUnansweredRequests,
        maxUnansweredBytes,
        maxUnwrittenBytes,
        maxServerBytes,
        maxServerUnreadBytes,
        unreadPatience,
        handshakeDeadline);
  }
}
