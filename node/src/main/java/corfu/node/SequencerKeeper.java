package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.runtime.Reconfiguration;
import corfu.runtime.UnavailableException;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a sequencer back to work after its server restarted: it has forgotten what it issued, so a
 * new epoch must start it (DESIGN 3.5). Tries until it works, for the log units may still be
 * starting, too.
 */
final class SequencerKeeper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SequencerKeeper.class);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final World world;
  private final Endpoint self;
  private final Reconfiguration reconfiguration;
  private volatile boolean closed;

  SequencerKeeper(World world, Transport transport, Endpoint self) {
    this.world = world;
    this.self = self;
    this.reconfiguration = new Reconfiguration(world, transport, REQUEST_TIMEOUT, TRY_TIMEOUT);
  }

  /**
   * Starts keeping the sequencer of the cluster that these layout servers decide for, if that is
   * this server.
   */
  void keep(List<Endpoint> layoutServers) {
    world.start("corfu-sequencer-keeper", () -> findAndKeep(layoutServers));
  }

  private void findAndKeep(List<Endpoint> layoutServers) {
    Optional<Layout> found = find(layoutServers);
    while (found.isEmpty() && !closed) {
      world.pause(PAUSE);
      found = find(layoutServers);
    }
    found
        .filter(layout -> layout.sequencers().stream().findFirst().equals(Optional.of(self)))
        .ifPresent(this::untilItServes);
  }

  /** In a cluster's first epoch it is still being bootstrapped, which starts the sequencer, too. */
  private Optional<Layout> find(List<Endpoint> layoutServers) {
    return reconfiguration
        .find(layoutServers)
        .filter(layout -> !layout.epoch().equals(Epoch.FIRST));
  }

  private void untilItServes(Layout layout) {
    while (!closed) {
      try {
        Layout serving = reconfiguration.serve(layout);
        LOG.info("the sequencer at {} serves epoch {}", self, serving.epoch());
        return;
      } catch (UnavailableException notYet) {
        LOG.warn("the sequencer at {} cannot start yet: {}", self, notYet.getMessage());
        world.pause(PAUSE);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
