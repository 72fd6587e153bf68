package corfu.node.agent;

import static corfu.node.agent.ClusterHealths.A;
import static corfu.node.agent.ClusterHealths.B;
import static corfu.node.agent.ClusterHealths.C;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutReply.Observation;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.UnavailableException;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An agent among layout servers that answer, with a change that does not end. */
final class AgentTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  private final ClusterHealths cluster = new ClusterHealths();
  private final Set<Endpoint> silent = ConcurrentHashMap.newKeySet();
  private final HangingHealer healer = new HangingHealer();

  /** A healer whose changes end on demand. */
  private static final class HangingHealer implements ClusterRepair {
    private final CompletableFuture<ClusterHealth> first = new CompletableFuture<>();
    private final CompletableFuture<ClusterHealth> second = new CompletableFuture<>();
    private final CompletableFuture<Layout> end = new CompletableFuture<>();
    private final CompletableFuture<Set<Endpoint>> heardOfB = new CompletableFuture<>();
    private final List<ClusterHealth> tries = new CopyOnWriteArrayList<>();

    @Override
    public void silent(Set<Endpoint> servers) {
      if (servers.contains(B)) {
        heardOfB.complete(servers);
      }
    }

    @Override
    public Layout heal(Layout known, ClusterHealth clusterHealth) {
      tries.add(clusterHealth);
      if (first.complete(clusterHealth)) {
        var unused = end.handle((layout, failure) -> known).join();
        throw new UnavailableException("B does not answer");
      }
      second.complete(clusterHealth);
      return known;
    }

    @Override
    public Optional<Layout> rebuild(
        Layout known, long segmentStart, Consumer<NodeReply.Rebuild> progress) {
      return Optional.empty();
    }

    @Override
    public Layout finish(Layout copied, long segmentStart, ClusterHealth clusterHealth) {
      return copied;
    }
  }

  /** Layout servers that have all seen the same. */
  private final class LayoutServers implements Transport {
    @Override
    public Peer peer(Endpoint endpoint) {
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return endpoint;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
          return CompletableFuture.completedFuture(new LayoutReply.Observations(observations()));
        }
      };
    }

    @Override
    public void close() {}
  }

  private List<Observation> observations() {
    return cluster.layout().servers().stream()
        .map(
            server ->
                new Observation(
                    server,
                    silent.contains(server) ? 60_000 : 0,
                    silent.contains(server) ? 0 : 60_000,
                    cluster.clusterHealth().of(server).health()))
        .toList();
  }

  @Test
  void aSecondFailureIsSeenWhileTheFirstIsBeingHealedAndTheNextTryKnowsOfIt() {
    RealWorld world = new RealWorld();
    Agent agent =
        new Agent(
            world,
            world.loop("agent"),
            A,
            () -> Optional.of(cluster.layout()),
            new Observers(world, new LayoutServers(), Duration.ofMillis(400), SOON),
            healer,
            new Watch(Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofMillis(400)));
    try {
      silent.add(C);
      agent.start();
      assertThat(healer.first).succeedsWithin(SOON);

      silent.add(B);

      assertThat(healer.heardOfB).succeedsWithin(SOON);
      assertThat(healer.tries).as("one change at a time").hasSize(1);
      healer.end.complete(cluster.layout());
      assertThat(healer.second).succeedsWithin(SOON);
      assertThat(healer.second.join().suspects()).containsExactlyInAnyOrder(B, C);
    } finally {
      healer.end.complete(cluster.layout());
      agent.close();
      world.close();
    }
  }
}
