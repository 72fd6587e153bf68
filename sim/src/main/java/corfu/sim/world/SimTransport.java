package corfu.sim.world;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.Loop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The transport of one process to the servers. */
public final class SimTransport implements Transport {

  private final SimNetwork network;
  private final SimWorld world;
  private final Optional<ClusterId> cluster;
  private final ClientOptions options;
  private final Loop loop;
  private final Map<Endpoint, SimPeer> peers = new LinkedHashMap<>();
  private boolean closed;

  public SimTransport(
      SimNetwork network, SimWorld world, Optional<ClusterId> cluster, ClientOptions options) {
    this.network = network;
    this.world = world;
    this.cluster = cluster;
    this.options = options;
    this.loop = world.loop("transport");
    world.life().whenOver(() -> network.clientGone(world.life()));
  }

  @Override
  public Peer peer(Endpoint endpoint) {
    return peers.computeIfAbsent(endpoint, e -> new SimPeer(this, e));
  }

  public SimNetwork network() {
    return network;
  }

  public SimWorld world() {
    return world;
  }

  public Optional<ClusterId> cluster() {
    return cluster;
  }

  public ClientOptions options() {
    return options;
  }

  public Loop loop() {
    return loop;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    loop.execute(() -> peers.values().forEach(SimPeer::close));
  }
}
