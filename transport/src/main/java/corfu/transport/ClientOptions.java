package corfu.transport;

import corfu.protocol.Limits;

/**
 * Bounds of a transport's client side.
 *
 * @param limits the limits of a request's size
 * @param maxBytesInFlight the largest number of encoded bytes of unanswered requests to one server;
 *     one request is always let through
 * @param maxRequestsInFlight the largest number of unanswered requests to one server, 1 to 2^20
 * @param maxPeers the largest number of servers that one transport may know
 */
public record ClientOptions(
    Limits limits, long maxBytesInFlight, int maxRequestsInFlight, int maxPeers) {

  /** Default limits, 32 MiB and 16,384 requests in flight to each server, 4,096 servers. */
  public static final ClientOptions DEFAULT =
      new ClientOptions(Limits.DEFAULT, 32 << 20, 16_384, 4_096);

  private static final int MOST_REQUESTS_IN_FLIGHT = 1 << 20;

  public ClientOptions {
    if (maxBytesInFlight < 1
        || maxRequestsInFlight < 1
        || maxRequestsInFlight > MOST_REQUESTS_IN_FLIGHT
        || maxPeers < 1) {
      throw new IllegalArgumentException(
          "bounds under which nothing can be sent: "
              + maxBytesInFlight
              + " bytes and "
              + maxRequestsInFlight
              + " requests in flight, "
              + maxPeers
              + " peers");
    }
  }

  /** Returns the same options with other limits. */
  public ClientOptions withLimits(Limits other) {
    return new ClientOptions(other, maxBytesInFlight, maxRequestsInFlight, maxPeers);
  }
}
