package corfu.store.http;

import corfu.store.StoreOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Where a server listens, and what it bears.
 *
 * @param listen where; loopback by default, as it asks nobody for a password
 * @param maxBodyBytes of a request's body; a larger one is refused with status 413
 * @param maxMemoryBytes that all requests may hold together, for bodies, values and replies; what
 *     does not fit is refused with status 503. A body costs twice its bytes, and up to 2 MiB of it
 *     four times
 * @param maxRequests that the store works for at the same time; further ones are refused with
 *     status 503. Neither a slow body nor a slow reader counts
 * @param maxConnections in use at the same time, for a request's head, body, work or reply; a
 *     further one displaces the one that has waited for its client the longest
 * @param maxRequestTime how long a request's body may take to arrive, and a reply to be taken
 * @param rateWindow how long a request's head may take; and in each such time a client sends a
 *     body, or takes a reply, at {@code minBytesPerSecond}, or its connection is closed
 * @param minBytesPerSecond the least rate of a client
 * @param maxSnapshots of the past that are kept for those who ask for them again
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

  /** On this port of the loopback address; 0: any free one. */
  public static StoreServerOptions onPort(int port) {
    return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The defaults: requests may hold a quarter of this JVM's heap. */
  public static StoreServerOptions at(InetSocketAddress listen) {
    return of(listen, Runtime.getRuntime().maxMemory());
  }

  /** The defaults for a heap of this size: bodies are shorter where the heap is small. */
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

  /** The largest body becomes 96 MiB again, or what the memory is enough for. */
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
   * @throws StoreServerException if they do not; it says what fits
   */
  public void check(StoreOptions store) {
    HeapPlan.check(this, store, Runtime.getRuntime().maxMemory());
  }

  Transfer.Limits transferLimits() {
    long bytes = minBytesPerSecond * rateWindow.toMillis() / 1000;
    return new Transfer.Limits(rateWindow, maxRequestTime, rateWindow, Math.max(1, bytes));
  }
}
