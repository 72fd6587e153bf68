package corfu.runtime.internal.session;

import corfu.protocol.layout.Layout;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reconfigures the cluster from a client whose calls have failed for long, as anyone may (CORFU,
 * section 3.2.1). Agents, where they run, are faster. The client does not decide which server is
 * dropped, because its own way to a server may be broken. The layout servers decide. Thread-safe.
 */
public final class ClientReconfigurer {

  private static final Duration SUSPICION = Duration.ofMillis(400);
  private static final Duration OBSERVING = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final World world;
  private final Duration after;
  private final Observers observers;
  private final Reconfiguration reconfiguration;
  private final AtomicBoolean underWay = new AtomicBoolean();

  /**
   * @param after the time for which a call must have failed
   */
  public ClientReconfigurer(
      World world, Transport transport, Duration requestTimeout, Duration after) {
    this.world = world;
    this.after = after;
    this.observers = new Observers(world, transport, SUSPICION, OBSERVING);
    this.reconfiguration = new Reconfiguration(world, transport, requestTimeout, TIMEOUT);
  }

  /**
   * Reconfigures the cluster if the call has failed for long enough, and no other call of this
   * client is doing so. The reconfiguration has a thread of its own, and continues when the call
   * ends.
   *
   * @param startNanos the time at which the call began, in nanoseconds
   * @param deadline the call's deadline
   * @return the newest layout known afterwards
   */
  Layout consider(long startNanos, Layout layout, Deadline deadline) {
    if (world.nanoTime() - startNanos < after.toNanos() || !underWay.compareAndSet(false, true)) {
      return layout;
    }
    CompletableFuture<Layout> healed = new CompletableFuture<>();
    try {
      world.start(
          "corfu-reconfigure",
          () -> {
            try {
              healed.complete(heal(layout));
            } catch (RuntimeException failure) {
              healed.completeExceptionally(failure);
            }
          });
    } catch (RejectedExecutionException closed) {
      underWay.set(false);
      return layout;
    }
    return deadline.await(healed) ? Futures.await(healed) : layout;
  }

  private Layout heal(Layout layout) {
    try {
      ClusterHealth clusterHealth = observers.ask(layout);
      return clusterHealth.hasMajority() ? reconfiguration.heal(layout, clusterHealth) : layout;
    } catch (UnavailableException notNow) {
      return layout; // the call continues to retry until its own deadline
    } finally {
      underWay.set(false);
    }
  }
}
