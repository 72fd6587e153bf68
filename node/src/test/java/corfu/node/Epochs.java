package corfu.node;

import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import corfu.runtime.reconfiguration.Reconfiguration;
import java.time.Duration;

/** For tests of what is built upon a cluster. */
public final class Epochs {

  private Epochs() {}

  /** Begins a new epoch, whose sequencer remembers nothing. */
  public static Layout change(EmbeddedCluster cluster, Corfu corfu) {
    return new Reconfiguration(
            cluster.world(), cluster.transport(), Duration.ofSeconds(2), Duration.ofSeconds(10))
        .renew(corfu.layout());
  }
}
