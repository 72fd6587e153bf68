package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.runtime.rebuild.Rebuild;
import corfu.runtime.rebuild.RebuildOptions;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Changes a cluster like any client. */
final class ClientClusterRepair implements ClusterRepair {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final FailFastTransport way;
  private final Reconfiguration reconfiguration;
  private final Rebuild rebuild;

  ClientClusterRepair(World world, Transport transport, Limits limits) {
    this.way = new FailFastTransport(transport);
    this.reconfiguration =
        new Reconfiguration(world, way, REQUEST_TIMEOUT, TIMEOUT).withoutRetries();
    this.rebuild = new Rebuild(world, way, REQUEST_TIMEOUT, limits, RebuildOptions.DEFAULT);
  }

  @Override
  public void silent(Set<Endpoint> servers) {
    way.silent(servers);
  }

  @Override
  public Layout heal(Layout known, ClusterHealth clusterHealth) {
    return reconfiguration.heal(known, clusterHealth);
  }

  @Override
  public Optional<Layout> rebuild(
      Layout known, long segmentStart, Consumer<NodeReply.Rebuild> progress) {
    return rebuild.run(known, segmentStart, progress);
  }

  @Override
  public Layout finish(Layout copied, long segmentStart, ClusterHealth clusterHealth) {
    return reconfiguration.finish(copied, segmentStart, clusterHealth);
  }
}
