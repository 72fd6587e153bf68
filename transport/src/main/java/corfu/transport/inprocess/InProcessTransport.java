package corfu.transport.inprocess;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.message.RequestOrigin;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One client's side of the network. */
final class InProcessTransport implements Transport {

  private static final AtomicLong COUNT = new AtomicLong();

  private final RequestOrigin origin;
  private final InProcessNetwork network;
  private final Supplier<Optional<ClusterId>> cluster;
  private final ClientOptions options;
  private final Map<Endpoint, InProcessPeer> peers = new ConcurrentHashMap<>();
  private volatile boolean closed;

  InProcessTransport(
      InProcessNetwork network,
      Supplier<Optional<ClusterId>> cluster,
      ClientOptions options,
      Identity identity) {
    this.origin = new RequestOrigin("in-process-" + COUNT.incrementAndGet(), identity);
    this.network = network;
    this.cluster = cluster;
    this.options = options;
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    InProcessPeer known = peers.get(endpoint);
    if (known != null) {
      return known;
    }
    if (peers.size() >= options.maxPeers()) {
      throw new IllegalStateException(
          "cannot talk to "
              + endpoint
              + ", too: this transport knows "
              + options.maxPeers()
              + " servers, which is its bound");
    }
    return peers.computeIfAbsent(endpoint, e -> new InProcessPeer(this, e));
  }

  InProcessNetwork network() {
    return network;
  }

  ClientOptions options() {
    return options;
  }

  /** Returns the origin of this transport's requests: each transport counts as one client. */
  RequestOrigin origin() {
    return origin;
  }

  Optional<ClusterId> cluster() {
    return cluster.get();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    network.completing(() -> network.servers().forEach(server -> server.failCallsOf(this)));
  }
}
