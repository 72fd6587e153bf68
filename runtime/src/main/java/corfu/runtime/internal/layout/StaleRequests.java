package corfu.runtime.internal.layout;

import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.transport.CancellableTransport;
import corfu.transport.CancellableTransport.InFlight;
import corfu.transport.Transport;
import corfu.transport.WrongClusterException;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cancels requests of an epoch that is over. A server that has stopped or is cut off keeps a
 * request until the request's timeout. The layout may have dropped that server long before. So
 * while requests are in flight for longer than usual, a client asks for the newest layout.
 * Thread-safe.
 */
public final class StaleRequests {

  private static final Duration PERIOD = Duration.ofMillis(200);

  /** Layout servers answer within a fraction of this time. */
  private static final Duration ASKING = Duration.ofMillis(500);

  private final World world;
  private final CancellableTransport way;
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Optional<Layouts> layouts = Optional.empty();

  /** The number of a request. Requests with lower numbers have been in flight for a period. */
  private volatile long sentBefore;

  /**
   * @param transport the client's transport
   * @param listener the listener for every request
   */
  public StaleRequests(World world, Transport transport, CancellableTransport.Listener listener) {
    this.world = world;
    this.way = new CancellableTransport(transport, this::arm, listener);
  }

  /** Returns the transport whose requests are cancelled. */
  public Transport way() {
    return way;
  }

  /** Sets the layouts whose newest epoch is compared with that of requests. */
  public void compareWith(Layouts newest) {
    layouts = Optional.of(newest);
  }

  private void arm() {
    if (!armed.get() && armed.compareAndSet(false, true)) {
      var unused = world.after(PERIOD.toNanos(), this::look);
    }
  }

  /** Runs on a thread of the world's timers. */
  private void look() {
    long before = sentBefore;
    sentBefore = way.sent();
    Optional<Layouts> newest = layouts;
    if (newest.isPresent() && way.isWaiting(one -> one.number() < before && mayBeStale(one))) {
      refresh(newest.get(), before);
    }
    armed.set(false);
    if (!way.isIdle()) {
      arm();
    }
  }

  /**
   * Fetches the newest layout, and cancels older requests. Ignores a wrong cluster, because the
   * waiting calls will learn of it themselves.
   */
  private void refresh(Layouts newest, long before) {
    if (asking.compareAndSet(false, true)) {
      world.start(
          "corfu-stale-requests",
          () -> {
            try {
              newest.refresh(Deadline.in(world, ASKING));
              cancelOlderThan(newest.current().epoch(), before);
            } catch (WrongClusterException told) {
              return;
            } finally {
              asking.set(false);
            }
          });
    }
  }

  private void cancelOlderThan(Epoch epoch, long before) {
    way.cancel(
        one -> one.number() < before && mayBeStale(one) && one.request().epoch().isBefore(epoch),
        "epoch " + epoch + " has replaced that of the request");
  }

  /**
   * Returns whether the request can become stale. Some requests depend on no epoch, and some are
   * meant to wait.
   */
  private static boolean mayBeStale(InFlight one) {
    Request request = one.request();
    return !request.epoch().equals(Epoch.NONE)
        && !(request instanceof LogUnitRequest.Install)
        && !(request instanceof LogUnitRequest.Listen);
  }
}
