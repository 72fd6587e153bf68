package corfu.transport;

import corfu.protocol.Limits;

/**
 * Bounds of a transport's client side.
 *
 * @param limits how large a request may be
 * @param maxBytesInFlight encoded bytes of requests to one server that are not answered yet; one
 *     request is always let through
 * @param maxRequestsInFlight requests to one server that are not answered yet, 1 to 2^20
 * @param maxPeers servers that one transport may know
 */
public record ClientOptions(
    Limits limits, long maxBytesInFlight, int maxRequestsInFlight, int maxPeers) {

  /** Default limits, 32 MiB and 16,384 requests in flight to a server, 4,096 servers. */
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

  /** The same with other limits. */
  public ClientOptions withLimits(Limits other) {
    return new ClientOptions(other, maxBytesInFlight, maxRequestsInFlight, maxPeers);
  }
}
