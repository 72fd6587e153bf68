package corfu.transport.tcp;

import corfu.protocol.Limits;
import java.time.Duration;

/**
 * Bounds of a TCP server. A connection that reaches one of its own is not read until it is below
 * again.
 *
 * @param limits how large a frame may be, either way
 * @param maxConnections further ones are closed at once
 * @param maxUnansweredRequests requests of one connection that are not answered yet
 * @param maxUnansweredBytes memory that the requests of one connection occupy; raised to two frames
 *     of the largest size
 * @param maxUnwrittenBytes replies that the client of one connection has not taken
 * @param maxServerBytes memory that the requests of all connections occupy; beyond it the server
 *     answers that it is overloaded; no more than half of the JVM's direct memory
 * @param maxServerUnreadBytes memory of replies that all clients together have not read; from half
 *     of it on a client that has not read everything waits; no more than a quarter of the JVM's
 *     direct memory
 * @param unreadPatience how long a client may take nothing when half of that is occupied, before it
 *     is sent away
 * @param handshakeDeadline how long a new connection may take to be welcomed
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
   * Default limits, 4,096 connections, each with 16,384 requests of 64 MiB and 32 MiB of replies,
   * 128 MiB of replies together; 10 seconds to be welcomed.
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

  /** The same with the default bound of unread replies, and the default patience. */
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

  /** The same with other limits. */
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
