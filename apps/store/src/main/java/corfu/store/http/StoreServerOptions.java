package corfu.store.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Where a server listens, and what it bears.
 *
 * @param listen where; loopback by default, as it asks nobody for a password
 * @param maxBodyBytes of a request's body; a larger one is refused with status 413
 * @param maxRequests that are served at the same time; further ones are refused with status 503
 * @param maxRequestTime how long a request's body may take to arrive, and an answer to be taken
 * @param maxSnapshots of the past that are kept for those who ask for them again
 */
public record StoreServerOptions(
    InetSocketAddress listen,
    int maxBodyBytes,
    int maxRequests,
    Duration maxRequestTime,
    int maxSnapshots) {

  public StoreServerOptions {
    if (maxBodyBytes < 1 || maxRequests < 1 || maxSnapshots < 1 || maxRequestTime.isNegative()) {
      throw new IllegalArgumentException(
          "a server bears 1 or more, but this is %d bytes of body, %d requests, %d snapshots"
              .formatted(maxBodyBytes, maxRequests, maxSnapshots));
    }
  }

  /** On this port of the loopback address; 0: any free one. */
  public static StoreServerOptions onPort(int port) {
    return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  public static StoreServerOptions at(InetSocketAddress listen) {
    return new StoreServerOptions(listen, 96 << 20, 256, Duration.ofSeconds(30), 16);
  }

  public StoreServerOptions withMaxBodyBytes(int bytes) {
    return new StoreServerOptions(listen, bytes, maxRequests, maxRequestTime, maxSnapshots);
  }

  public StoreServerOptions withMaxRequests(int requests) {
    return new StoreServerOptions(listen, maxBodyBytes, requests, maxRequestTime, maxSnapshots);
  }

  public StoreServerOptions withMaxRequestTime(Duration time) {
    return new StoreServerOptions(listen, maxBodyBytes, maxRequests, time, maxSnapshots);
  }
}
