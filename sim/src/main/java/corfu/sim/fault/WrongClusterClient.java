package corfu.sim.fault;

import corfu.protocol.ClusterId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.history.Payloads;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.TransportException;
import corfu.transport.WrongClusterException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A client or operator of another cluster that was given the addresses of this cluster's servers.
 */
final class WrongClusterClient {

  static final String NAME = "stranger";

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Simulator simulator;
  private final ClusterShape arrangement;

  WrongClusterClient(Simulator simulator, ClusterShape arrangement) {
    this.simulator = simulator;
    this.arrangement = arrangement;
  }

  /** Tries to use the log, or to change the layout; both must be refused. */
  void come(boolean asOperator) {
    SimWorld world = simulator.born(NAME, 0);
    ClusterId other = new ClusterId(new UUID(0, 4711));
    SimTransport transport =
        new SimTransport(simulator.network, world, Optional.of(other), ClientOptions.DEFAULT);
    world.start(
        NAME,
        () -> {
          try {
            if (asOperator) {
              new Reconfiguration(world, transport, TIMEOUT, TIMEOUT).renew(arrangement.layout());
            } else {
              CorfuOptions options =
                  CorfuOptions.of(arrangement.contacts())
                      .withCluster(other)
                      .withOperationTimeout(TIMEOUT);
              Corfu.connect(options, world, transport).log().append(Payloads.of(NAME, 0));
            }
            simulator.findings.broken("Cluster", "a client of another cluster was served");
          } catch (WrongClusterException refused) {
            simulator.reached("a stranger is refused");
          } catch (CorfuException | TransportException unanswered) {
            simulator.trace.say(NAME, () -> "gives up: " + unanswered.getMessage());
          }
          world.life().end();
        });
  }
}
