package corfu.store.http;

import corfu.store.StoreOptions;

/**
 * Checks how much of the heap a server's limits may take together. A server whose limits exceed it
 * does not start: it would run out of memory on a busy day instead.
 */
final class HeapPlan {

  /** The memory of a connection in use: its buffers, its thread, and the longest accepted head. */
  private static final long CONNECTION_BYTES = 64 << 10;

  /**
   * The memory of the log's client: in-flight appends, its cache of entries, and pushed entries.
   */
  private static final long CLIENT_BYTES = 112L << 20;

  /** The memory of classes, of a small store's index, and of the garbage collector. */
  private static final long OTHER_BYTES = 64L << 20;

  private HeapPlan() {}

  /**
   * Checks the limits together.
   *
   * @throws StoreServerException if they exceed the heap, or a body exceeds the memory of requests
   */
  static void check(StoreServerOptions server, StoreOptions store, long heapBytes) {
    long largest = MemoryBudget.largest(server.maxMemoryBytes());
    long bodyCost = RequestBody.cost(server.maxBodyBytes());
    if (bodyCost > largest) {
      throw new StoreServerException(
          ("a body of max-body %d bytes needs %d bytes of memory, but one request may have %d of"
                  + " max-memory %d: a max-body of %d fits, or a max-memory of %d")
              .formatted(
                  server.maxBodyBytes(),
                  bodyCost,
                  largest,
                  server.maxMemoryBytes(),
                  RequestBody.longest(largest),
                  bodyCost * 4 / 3 + 1));
    }
    long connections = server.maxConnections() * CONNECTION_BYTES;
    long fixed = store.cacheBytes() + CLIENT_BYTES + OTHER_BYTES;
    long needed = server.maxMemoryBytes() + connections + fixed;
    if (needed > heapBytes) {
      long left = Math.max(0, heapBytes - fixed);
      throw new StoreServerException(
          ("the limits need %d MiB of heap, but it has %d MiB: max-memory %d MiB, max-connections"
               + " %d of %d KiB each, a cache of %d MiB, and %d MiB for all else. %d MiB are left"
               + " for max-memory and max-connections: lower them, or give the JVM a larger heap"
               + " (CORFU_JAVA_OPTS=-Xmx%dm)")
              .formatted(
                  mib(needed),
                  heapBytes >> 20,
                  mib(server.maxMemoryBytes()),
                  server.maxConnections(),
                  CONNECTION_BYTES >> 10,
                  mib(store.cacheBytes()),
                  mib(CLIENT_BYTES + OTHER_BYTES),
                  left >> 20,
                  mib(needed)));
    }
  }

  /** Returns mebibytes, rounded up. */
  private static long mib(long bytes) {
    return (bytes + (1 << 20) - 1) >> 20;
  }
}
