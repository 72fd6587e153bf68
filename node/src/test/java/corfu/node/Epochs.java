package corfu.node;

import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import corfu.runtime.reconfiguration.Reconfiguration;
import java.time.Duration;

/** Changes of epochs, for tests of modules above the node. */
public final class Epochs {

  private Epochs() {}

  /** Begins a new epoch, whose sequencer remembers nothing. */
  public static Layout change(EmbeddedCluster cluster, Corfu corfu) {
    return new Reconfiguration(
            cluster.world(), cluster.transport(), Duration.ofSeconds(2), Duration.ofSeconds(10))
        .renew(corfu.layout());
  }
}
