package corfu.store.http;

import corfu.store.StoreOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The address and the limits of a server.
 *
 * @param listen the address to listen on; loopback by default, because the server has no access
 *     control
 * @param maxBodyBytes the largest size of a request's body in bytes; a larger one gets status 413
 * @param maxMemoryBytes the memory in bytes of all requests together, for bodies, values and
 *     responses; a request that does not fit gets status 503. A body costs twice its size, and up
 *     to 2 MiB of it four times
 * @param maxRequests the largest number of requests that the store executes at the same time;
 *     further ones get status 503. Slow senders and slow readers do not count
 * @param maxConnections the largest number of connections in use, for a request's head, body, work
 *     or response. A further one displaces the connection that has waited for its client the
 *     longest
 * @param maxRequestTime the longest time in which a request's body arrives, or in which a client
 *     reads a response
 * @param rateWindow the longest time of a request's head. In each such time a client also sends a
 *     body, or reads a response, at {@code minBytesPerSecond}; otherwise the server closes its
 *     connection
 * @param minBytesPerSecond the lowest rate of a client in bytes per second
 * @param maxSnapshots the number of past snapshots that are cached
 */
public record StoreServerOptions(
    InetSocketAddress listen,
    int maxBodyBytes,
    long maxMemoryBytes,
    int maxRequests,
    int maxConnections,
    Duration maxRequestTime,
    Duration rateWindow,
    int minBytesPerSecond,
    int maxSnapshots) {

  private static final int USUAL_MAX_BODY = 96 << 20;
  private static final int PART_OF_HEAP = 4;

  public StoreServerOptions {
    if (maxBodyBytes < 1
        || maxMemoryBytes < 1
        || maxRequests < 1
        || maxConnections < 1
        || minBytesPerSecond < 1
        || maxSnapshots < 1
        || !maxRequestTime.isPositive()
        || !rateWindow.isPositive()) {
      throw new IllegalArgumentException(
          ("a server's bounds are 1 or more, but these are %d bytes of body, %d bytes of memory,"
                  + " %d requests, %d connections, %s for a request, %d bytes per second over %s,"
                  + " %d snapshots")
              .formatted(
                  maxBodyBytes,
                  maxMemoryBytes,
                  maxRequests,
                  maxConnections,
                  maxRequestTime,
                  minBytesPerSecond,
                  rateWindow,
                  maxSnapshots));
    }
  }

  /** Returns the defaults for a port of the loopback address; 0 means any free port. */
  public static StoreServerOptions onPort(int port) {
    return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Returns the defaults: requests may hold a quarter of this JVM's heap. */
  public static StoreServerOptions at(InetSocketAddress listen) {
    return of(listen, Runtime.getRuntime().maxMemory());
  }

  /** Returns the defaults for a heap of this size; a small heap limits bodies. */
  static StoreServerOptions of(InetSocketAddress listen, long heapBytes) {
    long memory = Math.max(1, heapBytes / PART_OF_HEAP);
    return new StoreServerOptions(
            listen,
            1,
            memory,
            256,
            1024,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            16 << 10,
            16)
        .withMaxMemoryBytes(memory);
  }

  public StoreServerOptions withMaxBodyBytes(int bytes) {
    return new StoreServerOptions(
        listen,
        bytes,
        maxMemoryBytes,
        maxRequests,
        maxConnections,
        maxRequestTime,
        rateWindow,
        minBytesPerSecond,
        maxSnapshots);
  }

  /**
   * Changes the memory of requests. The largest body becomes 96 MiB, or less if the memory is too
   * small.
   */
  public StoreServerOptions withMaxMemoryBytes(long bytes) {
    int longest = RequestBody.longest(MemoryBudget.largest(bytes));
    return new StoreServerOptions(
        listen,
        Math.max(1, Math.min(USUAL_MAX_BODY, longest)),
        bytes,
        maxRequests,
        maxConnections,
        maxRequestTime,
        rateWindow,
        minBytesPerSecond,
        maxSnapshots);
  }

  public StoreServerOptions withMaxRequests(int requests) {
    return new StoreServerOptions(
        listen,
        maxBodyBytes,
        maxMemoryBytes,
        requests,
        maxConnections,
        maxRequestTime,
        rateWindow,
        minBytesPerSecond,
        maxSnapshots);
  }

  public StoreServerOptions withMaxConnections(int connections) {
    return new StoreServerOptions(
        listen,
        maxBodyBytes,
        maxMemoryBytes,
        maxRequests,
        connections,
        maxRequestTime,
        rateWindow,
        minBytesPerSecond,
        maxSnapshots);
  }

  public StoreServerOptions withMaxRequestTime(Duration time) {
    return new StoreServerOptions(
        listen,
        maxBodyBytes,
        maxMemoryBytes,
        maxRequests,
        maxConnections,
        time,
        rateWindow,
        minBytesPerSecond,
        maxSnapshots);
  }

  public StoreServerOptions withMinRate(int bytesPerSecond, Duration window) {
    return new StoreServerOptions(
        listen,
        maxBodyBytes,
        maxMemoryBytes,
        maxRequests,
        maxConnections,
        maxRequestTime,
        window,
        bytesPerSecond,
        maxSnapshots);
  }

  /**
   * Checks that these limits and those of the store fit this JVM's heap together.
   *
   * @throws StoreServerException if they do not fit; the message says which limits fit
   */
  public void check(StoreOptions store) {
    HeapPlan.check(this, store, Runtime.getRuntime().maxMemory());
  }

  Transfer.Limits transferLimits() {
    long bytes = minBytesPerSecond * rateWindow.toMillis() / 1000;
    return new Transfer.Limits(rateWindow, maxRequestTime, rateWindow, Math.max(1, bytes));
  }
}
