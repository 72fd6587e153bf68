package corfu.runtime;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.transport.tls.TlsOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options of a client. {@link #of} returns defaults that fit one data centre; each {@code with}
 * method changes one option.
 *
 * @param servers one or more servers of the cluster, which the client asks for the layout first
 * @param cluster the cluster that the servers must belong to; empty accepts any cluster
 * @param limits the cluster's limits
 * @param operationTimeout the longest time of one call, including retries and waits for other
 *     threads. It must be longer than the hole timeout. Every public call of log, streams, objects,
 *     state machines and stores ends within this time plus a tenth. So does every future that such
 *     a call returns. A transaction is one call. A call that moves much data gets the time again
 *     for each 4,096 entries or full part of a checkpoint.
 * @param requestTimeout the longest time of one request to one server
 * @param holeTimeout the time that a reader waits for a writer with a token before it fills the
 *     address
 * @param reconfigureAfter the time for which a call must have failed before the client starts a
 *     reconfiguration itself; agents, where they run, are faster
 * @param maxBytesInFlight the bound in bytes on payload that waits or is in flight; at the bound,
 *     appends wait for room
 * @param maxBatchEntries the most appends that share one round trip
 * @param maxBatchBytes the most bytes of payload that share one round trip; a larger entry travels
 *     alone
 * @param maxBatchesInFlight the most batches of appends that are in flight at the same time
 * @param maxBytesPushed the bound in bytes on pushed entries that wait for subscribers; entries
 *     beyond it are read from the log later
 * @param reports whether the client reports to the layout servers which servers it reaches. With
 *     these reports, a server that clients cannot reach is replaced.
 * @param tls the encryption of connections, and the client's certificate; {@link TlsOptions#OFF} by
 *     default
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
    boolean reports,
    TlsOptions tls) {

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
          "the bounds on batches, bytes in flight and bytes pushed must be 1 or more, but are "
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

  /** Returns the defaults, for the cluster that these servers belong to. */
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
        true,
        TlsOptions.OFF);
  }

  public CorfuOptions withCluster(ClusterId cluster) {
    return with(draft -> draft.cluster = Optional.of(cluster));
  }

  public CorfuOptions withLimits(Limits limits) {
    return with(draft -> draft.limits = limits);
  }

  /**
   * Returns these options with another operation timeout. A longer request timeout is lowered to
   * it.
   */
  public CorfuOptions withOperationTimeout(Duration timeout) {
    Duration request = requestTimeout.compareTo(timeout) > 0 ? timeout : requestTimeout;
    return with(
        draft -> {
          draft.operationTimeout = timeout;
          draft.requestTimeout = request;
        });
  }

  /**
   * Returns these options with another request timeout. A shorter operation timeout still bounds
   * each request.
   */
  public CorfuOptions withRequestTimeout(Duration timeout) {
    return with(draft -> draft.requestTimeout = timeout);
  }

  public CorfuOptions withReconfigureAfter(Duration time) {
    return with(draft -> draft.reconfigureAfter = time);
  }

  public CorfuOptions withHoleTimeout(Duration timeout) {
    return with(draft -> draft.holeTimeout = timeout);
  }

  public CorfuOptions withBatches(int maxEntries, int maxBytes, int maxInFlight) {
    return with(
        draft -> {
          draft.maxBatchEntries = maxEntries;
          draft.maxBatchBytes = maxBytes;
          draft.maxBatchesInFlight = maxInFlight;
        });
  }

  public CorfuOptions withMaxBytesInFlight(long maxBytes) {
    return with(draft -> draft.maxBytesInFlight = maxBytes);
  }

  public CorfuOptions withMaxBytesPushed(long maxBytes) {
    return with(draft -> draft.maxBytesPushed = maxBytes);
  }

  /**
   * Returns these options for a client whose network is not that of the cluster's clients. It sends
   * no reports of servers that it cannot reach.
   */
  public CorfuOptions withoutReports() {
    return with(draft -> draft.reports = false);
  }

  /**
   * Returns these options with this encryption of connections. Its files are read when the client
   * connects, and again when they change.
   */
  public CorfuOptions withTls(TlsOptions options) {
    return with(draft -> draft.tls = options);
  }

  private CorfuOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** Options that can be changed. */
  private static final class Draft {
    final List<Endpoint> servers;
    Optional<ClusterId> cluster;
    Limits limits;
    Duration operationTimeout;
    Duration requestTimeout;
    Duration holeTimeout;
    Duration reconfigureAfter;
    long maxBytesInFlight;
    int maxBatchEntries;
    int maxBatchBytes;
    int maxBatchesInFlight;
    long maxBytesPushed;
    boolean reports;
    TlsOptions tls;

    Draft(CorfuOptions options) {
      servers = options.servers;
      cluster = options.cluster;
      limits = options.limits;
      operationTimeout = options.operationTimeout;
      requestTimeout = options.requestTimeout;
      holeTimeout = options.holeTimeout;
      reconfigureAfter = options.reconfigureAfter;
      maxBytesInFlight = options.maxBytesInFlight;
      maxBatchEntries = options.maxBatchEntries;
      maxBatchBytes = options.maxBatchBytes;
      maxBatchesInFlight = options.maxBatchesInFlight;
      maxBytesPushed = options.maxBytesPushed;
      reports = options.reports;
      tls = options.tls;
    }

    CorfuOptions finish() {
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
          reports,
          tls);
    }
  }
}
