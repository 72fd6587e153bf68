package corfu.runtime;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a client behaves. {@link #of} gives defaults that fit one data centre; the {@code with}
 * methods change one thing each.
 *
 * @param servers where to ask for the layout first: any servers of the cluster, one or more
 * @param cluster the cluster that is meant; empty: whichever the servers belong to
 * @param limits the cluster's limits
 * @param operationTimeout how long a call may take in all: every public call of log, streams,
 *     objects, state machines and stores, and every future that it returns, ends within this time
 *     and at most a tenth more, retries and waits for other threads included. A transaction is one
 *     call. Calls that move much get the time again for each 4,096 entries or full part of a
 *     checkpoint. Longer than the hole timeout.
 * @param requestTimeout how long one request to one server may take
 * @param holeTimeout how long a reader waits for a writer who holds a token before it fills the
 *     address
 * @param reconfigureAfter how long a call must have been failing before the client takes a
 *     reconfiguration into its own hands; agents are faster where they run
 * @param maxBytesInFlight how much payload may wait or be in flight before appends wait for room
 * @param maxBatchEntries how many appends may share one round trip
 * @param maxBatchBytes how much payload may share one round trip; a larger entry travels alone
 * @param maxBatchesInFlight how many batches of appends may be under way at the same time
 * @param maxBytesPushed how much may wait for subscribers of what log units have told of; what
 *     there is no room for is read from the log later
 * @param reports whether the client reports to the layout servers which servers it reaches, so that
 *     a server that clients cannot reach is replaced
 */
public record CorfuOptions(
    List<Endpoint> servers,
    Optional<ClusterId> cluster,
    Limits limits,
    Duration operationTimeout,
    Duration requestTimeout,
    Duration holeTimeout,
    Duration reconfigureAfter,
    long maxBytesInFlight,
    int maxBatchEntries,
    int maxBatchBytes,
    int maxBatchesInFlight,
    long maxBytesPushed,
    boolean reports) {

  public CorfuOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("name at least one server of the cluster, as host:port");
    }
    if (maxBatchEntries < 1
        || maxBatchBytes < 1
        || maxBatchesInFlight < 1
        || maxBytesInFlight < 1
        || maxBytesPushed < 1) {
      throw new IllegalArgumentException(
          "batches, what is in flight and what is pushed are bounded by 1 or more, but this is "
              + maxBatchEntries
              + " entries, "
              + maxBatchBytes
              + " bytes, "
              + maxBatchesInFlight
              + " batches, "
              + maxBytesInFlight
              + " bytes in flight, "
              + maxBytesPushed
              + " bytes pushed");
    }
  }

  /** The defaults, for a cluster that these servers belong to. */
  public static CorfuOptions of(List<Endpoint> servers) {
    return new CorfuOptions(
        servers,
        Optional.empty(),
        Limits.DEFAULT,
        Duration.ofSeconds(10),
        Duration.ofSeconds(2),
        Duration.ofMillis(100),
        Duration.ofSeconds(2),
        64L << 20,
        1024,
        1 << 20,
        4,
        16L << 20,
        true);
  }

  public CorfuOptions withCluster(ClusterId cluster) {
    return new CorfuOptions(
        servers,
        Optional.of(cluster),
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withLimits(Limits limits) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  /** The request timeout is lowered to the operation timeout where it is longer. */
  public CorfuOptions withOperationTimeout(Duration timeout) {
    Duration request = requestTimeout.compareTo(timeout) > 0 ? timeout : requestTimeout;
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        timeout,
        request,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  /** The operation timeout, where it is shorter, bounds it still. */
  public CorfuOptions withRequestTimeout(Duration timeout) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        timeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withReconfigureAfter(Duration time) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        time,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withHoleTimeout(Duration timeout) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        timeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withBatches(int maxEntries, int maxBytes, int maxInFlight) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxEntries,
        maxBytes,
        maxInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withMaxBytesInFlight(long maxBytes) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytes,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        reports);
  }

  public CorfuOptions withMaxBytesPushed(long maxBytes) {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytes,
        reports);
  }

  /** The same for a client whose network is not that of the cluster's clients. */
  public CorfuOptions withoutReports() {
    return new CorfuOptions(
        servers,
        cluster,
        limits,
        operationTimeout,
        requestTimeout,
        holeTimeout,
        reconfigureAfter,
        maxBytesInFlight,
        maxBatchEntries,
        maxBatchBytes,
        maxBatchesInFlight,
        maxBytesPushed,
        false);
  }
}
