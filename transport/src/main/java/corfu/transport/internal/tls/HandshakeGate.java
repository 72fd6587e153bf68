package corfu.transport.internal.tls;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits TLS handshakes to a server, so that a flood of them leaves the loop to established
 * connections. A handshake costs a hundred times as much as a request.
 *
 * <ul>
 *   <li>Only {@link #MAX_RUNNING} handshakes run at the same time; others wait, as many as {@link
 *       #MAX_WAITING}.
 *   <li>The hosts that wait take turns, and one host has at most half of all places.
 *   <li>Each failed handshake delays the next ones, so that not more than {@link
 *       #FAILURES_PER_SECOND} fail in a second.
 * </ul>
 *
 * Lives on the server's loop.
 */
public final class HandshakeGate {

  /** The largest number of handshakes that run at the same time. */
  public static final int MAX_RUNNING = 128;

  /** The largest number of handshakes that wait. */
  public static final int MAX_WAITING = 1_024;

  /** The number of handshakes that may fail in a second. */
  public static final int FAILURES_PER_SECOND = 500;

  /** The number of failures that cause no delay if there were none before. */
  private static final int FREE_FAILURES = 50;

  private static final long FAILURE_NANOS = TimeUnit.SECONDS.toNanos(1) / FAILURES_PER_SECOND;

  /** A connection that begins with TLS. */
  public interface Arrival {
    /** The client's host. */
    String host();

    /** Starts the handshake. */
    void admit();
  }

  private final EventLoop loop;
  private final LongSupplier nanoTime;

  /** The waiting connections by hosts; the host whose turn it is comes first. */
  private final Map<String, ArrayDeque<Arrival>> waiting = new LinkedHashMap<>();

  private final Map<String, Integer> runningOf = new LinkedHashMap<>();
  private int running;
  private int waitingCount;

  /** The time at which all failures so far are paid for. */
  private long paidNanos;

  private boolean retryScheduled;
  private boolean admitting;

  public HandshakeGate(EventLoop loop, LongSupplier nanoTime) {
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.paidNanos = nanoTime.getAsLong();
  }

  /** Admits a connection now or later. Returns false if too many wait, and forgets it. */
  public boolean enter(Arrival arrival) {
    ArrayDeque<Arrival> ofHost = waiting.get(arrival.host());
    if (waitingCount >= MAX_WAITING || (ofHost != null && ofHost.size() >= MAX_WAITING / 2)) {
      return false;
    }
    waiting.computeIfAbsent(arrival.host(), host -> new ArrayDeque<>()).add(arrival);
    waitingCount++;
    admit();
    return true;
  }

  /** Forgets a connection that has closed while it waited. */
  public void abandon(Arrival arrival) {
    ArrayDeque<Arrival> ofHost = waiting.get(arrival.host());
    if (ofHost != null && ofHost.remove(arrival)) {
      waitingCount--;
      if (ofHost.isEmpty()) {
        waiting.remove(arrival.host());
      }
    }
  }

  /** Called once for each admitted connection, at the end of its handshake. */
  public void ended(Arrival arrival, boolean succeeded) {
    running--;
    runningOf.computeIfPresent(arrival.host(), (host, count) -> count == 1 ? null : count - 1);
    if (!succeeded) {
      paidNanos = Math.max(paidNanos, nanoTime.getAsLong()) + FAILURE_NANOS;
    }
    admit();
  }

  public int running() {
    return running;
  }

  public int waiting() {
    return waitingCount;
  }

  private void admit() {
    if (admitting) {
      return; // a handshake failed while it was being started
    }
    admitting = true;
    try {
      while (running < MAX_RUNNING && waitingCount > 0) {
        long debtNanos = paidNanos - nanoTime.getAsLong() - FREE_FAILURES * FAILURE_NANOS;
        if (debtNanos > 0) {
          retryAfter(debtNanos);
          return;
        }
        Arrival next = next();
        if (next == null) {
          return;
        }
        running++;
        runningOf.merge(next.host(), 1, Integer::sum);
        next.admit();
      }
    } finally {
      admitting = false;
    }
  }

  /** Takes the next connection in turn; null if the hosts that wait have all their places. */
  private @Nullable Arrival next() {
    Optional<String> turn =
        waiting.keySet().stream()
            .filter(host -> runningOf.getOrDefault(host, 0) < MAX_RUNNING / 2)
            .findFirst();
    ArrayDeque<Arrival> ofHost = turn.map(waiting::remove).orElse(null);
    if (ofHost == null) {
      return null;
    }
    Arrival next = ofHost.remove();
    waitingCount--;
    if (!ofHost.isEmpty()) {
      waiting.put(next.host(), ofHost); // behind all others
    }
    return next;
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void retryAfter(long nanos) {
    if (!retryScheduled) {
      retryScheduled = true;
      loop.schedule(
          () -> {
            retryScheduled = false;
            admit();
          },
          nanos + TimeUnit.MILLISECONDS.toNanos(1),
          TimeUnit.NANOSECONDS);
    }
  }
}
