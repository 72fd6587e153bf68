package corfu.transport.inprocess;

import corfu.protocol.Endpoint;
import corfu.transport.RequestHandler;
import corfu.transport.internal.Standstill;
import corfu.world.Loop;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registered server. Requests of all clients gather in one queue, from which its loop handles a
 * batch in each turn. Thread-safe.
 */
public final class InProcessServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(InProcessServer.class);

  /** The number of requests in one turn; then other tasks of the loop run. */
  private static final int REQUESTS_PER_TURN = 1024;

  private static final long FINEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long NOT_ARMED = Long.MAX_VALUE;

  private final InProcessNetwork network;
  private final Endpoint endpoint;
  private final RequestHandler handler;
  private final Loop loop;

  private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean turnScheduled = new AtomicBoolean();

  /** All calls that have not ended. */
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /** The time of the next check of the calls' deadlines. */
  private final AtomicLong armedFor = new AtomicLong(NOT_ARMED);

  /** Whether calls whose deadline came during a standstill have got a moment more. */
  private volatile boolean hasGivenMoment;

  private volatile boolean stopped;

  InProcessServer(InProcessNetwork network, Endpoint endpoint, RequestHandler handler, Loop loop) {
    this.network = network;
    this.endpoint = endpoint;
    this.handler = handler;
    this.loop = loop;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  RequestHandler handler() {
    return handler;
  }

  boolean isInside() {
    return loop.isInside();
  }

  boolean isStopped() {
    return stopped;
  }

  void submit(Session session, Call call) {
    calls.add(call);
    arrivals.add(() -> session.deliver(call));
    if (stopped) {
      end(call, "its server has stopped");
    } else if (call.isOfClosedTransport()) {
      end(call, "this transport is closed");
    } else {
      watch(call.deadlineNanos());
      if (turnScheduled.compareAndSet(false, true)) {
        loop.execute(this::turn);
      }
    }
  }

  private void turn() {
    turnScheduled.set(false);
    for (int taken = 0; taken < REQUESTS_PER_TURN; taken++) {
      Runnable arrival = arrivals.poll();
      if (arrival == null) {
        break;
      }
      if (!stopped) {
        arrival.run();
      }
    }
    if (!arrivals.isEmpty() && turnScheduled.compareAndSet(false, true)) {
      loop.execute(this::turn);
    }
    try {
      handler.turnEnded();
    } catch (RuntimeException | Error e) {
      LOG.warn("the handler of {} failed at the end of a turn", endpoint, e);
    }
  }

  /** Forgets a call that has been answered. */
  void forget(Call call) {
    calls.remove(call);
  }

  private void end(Call call, String reason) {
    calls.remove(call);
    network.completing(() -> call.fail(reason));
  }

  void failCallsOf(InProcessTransport transport) {
    failCalls(call -> call.isOf(transport), "this transport is closed");
  }

  private void failCalls(Predicate<Call> which, String reason) {
    for (Call call : calls) {
      if (which.test(call)) {
        end(call, reason);
      }
    }
  }

  /** Arms one timer for the earliest of all deadlines. */
  private void watch(long deadlineNanos) {
    while (true) {
      long armed = armedFor.get();
      if (armed != NOT_ARMED && armed - deadlineNanos <= FINEST_NANOS) {
        return;
      }
      if (armedFor.compareAndSet(armed, deadlineNanos)) {
        long delay = Math.max(FINEST_NANOS, deadlineNanos - network.world().nanoTime());
        network.world().after(delay, () -> endLate(deadlineNanos));
        return;
      }
    }
  }

  private void endLate(long armed) {
    if (!armedFor.compareAndSet(armed, NOT_ARMED)) {
      return; // a timer for an earlier deadline took over
    }
    long now = network.world().nanoTime();
    if (!hasGivenMoment && Standstill.isOver(armed, now)) {
      hasGivenMoment = true;
      watch(now + Standstill.MOMENT_NANOS); // servers in this process stood still, too
      return;
    }
    hasGivenMoment = false;
    long earliest = NOT_ARMED;
    for (Call call : calls) {
      if (call.deadlineNanos() - now <= 0) {
        end(call, "its deadline has come");
      } else {
        earliest = Math.min(earliest, call.deadlineNanos());
      }
    }
    if (earliest != NOT_ARMED) {
      watch(earliest);
    }
  }

  /**
   * Stops the server. Requests that the handler has got receive no reply any more, later ones do
   * not reach it, and the endpoint is free for another server. The caller closes the loop.
   */
  @Override
  public void close() {
    stopped = true;
    network.remove(this);
    failCalls(call -> true, "its server has stopped");
    arrivals.clear();
  }
}
