package corfu.runtime.internal.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewRequest;
import corfu.transport.CancellableTransport.InFlight;
import corfu.transport.CancellableTransport.Listener;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.transport.UnreachableException;
import corfu.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;

/**
 * Notices which servers of the layout this client cannot reach, and reports them to the layout
 * servers, which may still hear those servers. However many calls fail, there is one report per
 * half second. While all servers are reachable, there is one per second; while the client is idle,
 * there is none. Thread-safe.
 *
 * <p>A slow server is not reported: before a report, the client probes the server with a request
 * that is answered at once.
 */
public final class Reachability implements Listener {

  private static final Duration PERIOD = Duration.ofMillis(150);

  /** The time without any reply after which a server is probed. */
  private static final Duration DOUBT = Duration.ofMillis(150);

  /** The time without any reply, even to a probe, after which a server is reported. */
  private static final Duration SUSPICION = Duration.ofMillis(400);

  private static final Duration PROBE_TIMEOUT = Duration.ofMillis(250);

  /** Layout servers answer within a fraction of this time. */
  private static final Duration REPORT_TIMEOUT = Duration.ofMillis(500);

  /** The time between two reports while a server is unreachable. */
  private static final Duration REPEAT = Duration.ofMillis(500);

  /** The time between two reports while all servers are reachable. */
  private static final Duration CALM = Duration.ofSeconds(1);

  /** A client is idle if it has sent nothing for this long. */
  private static final Duration IDLE = Duration.ofSeconds(2);

  private final World world;
  private final Transport transport;
  private final Map<Endpoint, ServerContact> contacts = new ConcurrentHashMap<>();
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicBoolean reporting = new AtomicBoolean();
  private volatile Optional<Layouts> layouts = Optional.empty();
  private volatile long usedNanos;
  private volatile long reportedNanos;

  /** The servers that the last report named as unreachable. */
  private volatile Set<Endpoint> reported = Set.of();

  /**
   * @param transport the client's transport
   */
  public Reachability(World world, Transport transport) {
    this.world = world;
    this.transport = transport;
    this.reportedNanos = world.nanoTime() - CALM.toNanos();
  }

  /** Sets the layouts whose newest one names the servers to report on. */
  public void reportTo(Layouts newest) {
    layouts = Optional.of(newest);
  }

  @Override
  public void sent(InFlight request) {
    long now = world.nanoTime();
    usedNanos = now;
    if (isAnsweredSoon(request)) {
      contact(request.server()).sent(now);
    }
    arm();
  }

  @Override
  public void answered(InFlight request) {
    ServerContact contact = contact(request.server());
    if (isAnsweredSoon(request)) {
      contact.answered(world.nanoTime());
    } else {
      contact.lives(world.nanoTime());
    }
  }

  @Override
  public void failed(InFlight request, Throwable failure) {
    if (!isAnsweredSoon(request)) {
      return;
    }
    if (isOfServer(failure)) {
      contact(request.server()).failed(world.nanoTime());
    } else {
      contact(request.server()).notSent();
    }
  }

  /** Returns whether the failure tells something about the server, and not about the request. */
  private static boolean isOfServer(Throwable failure) {
    return failure instanceof NoReplyException
        || (failure instanceof UnreachableException unsent && !unsent.isCrowded());
  }

  /** Returns whether servers answer the request soon. Some requests are meant to wait. */
  private static boolean isAnsweredSoon(InFlight one) {
    return !(one.request() instanceof LogUnitRequest.Listen)
        && !(one.request() instanceof ViewRequest);
  }

  private ServerContact contact(Endpoint server) {
    ServerContact known = contacts.get(server);
    return known != null
        ? known
        : contacts.computeIfAbsent(server, fresh -> new ServerContact(IDLE.toNanos()));
  }

  private void arm() {
    if (!armed.get() && armed.compareAndSet(false, true)) {
      var unused = world.after(PERIOD.toNanos(), this::look);
    }
  }

  /** Runs on a thread of the world's timers. */
  private void look() {
    long now = world.nanoTime();
    if (layouts.isPresent() && (!doubted(now).isEmpty() || isReportDue(reported, now))) {
      work(layouts.get());
    }
    armed.set(false);
    if (now - usedNanos <= IDLE.toNanos()) {
      arm();
    }
  }

  private boolean isReportDue(Set<Endpoint> unreachable, long now) {
    long since = now - reportedNanos;
    return !unreachable.equals(reported)
        || since >= (unreachable.isEmpty() ? CALM : REPEAT).toNanos();
  }

  private void work(Layouts newest) {
    if (!reporting.compareAndSet(false, true)) {
      return;
    }
    try {
      world.start(
          "corfu-reachability",
          () -> {
            try {
              probe(doubted(world.nanoTime()));
              report(newest.current());
            } finally {
              reporting.set(false);
            }
          });
    } catch (RejectedExecutionException closed) {
      reporting.set(false);
    }
  }

  private Set<Endpoint> doubted(long now) {
    return members((contact, at) -> contact.isSilent(DOUBT.toNanos(), at), now);
  }

  private Set<Endpoint> members(BiPredicate<ServerContact, Long> which, long now) {
    Set<Endpoint> chosen = new LinkedHashSet<>();
    for (Endpoint server : layouts.map(Layouts::current).map(Layout::servers).orElse(Set.of())) {
      ServerContact contact = contacts.get(server);
      if (contact != null && which.test(contact, now)) {
        chosen.add(server);
      }
    }
    return chosen;
  }

  private void probe(Set<Endpoint> servers) {
    Map<Endpoint, CompletableFuture<Reply>> probes = new LinkedHashMap<>();
    for (Endpoint server : servers) {
      var request = new NodeRequest.AskStatus();
      probes.put(server, transport.peer(server).send(request, PROBE_TIMEOUT.toNanos()));
    }
    probes.forEach(
        (server, probe) -> {
          try {
            var unused = Peer.await(probe);
            contact(server).lives(world.nanoTime());
          } catch (TransportException failure) {
            if (isOfServer(failure)) {
              contact(server).probeFailed();
            }
          }
        });
  }

  private void report(Layout layout) {
    long now = world.nanoTime();
    Set<Endpoint> unreachable =
        members((contact, at) -> contact.isUnreachable(SUSPICION.toNanos(), at), now);
    if (!isReportDue(unreachable, now)) {
      return;
    }
    Set<Endpoint> reached = members(ServerContact::isReached, now);
    reached.removeAll(unreachable);
    reportedNanos = now;
    reported = unreachable;
    var report = new LayoutRequest.Report(List.copyOf(unreachable), List.copyOf(reached));
    for (Endpoint server : layout.layoutServers()) {
      var unused =
          transport
              .peer(server)
              .send(report, REPORT_TIMEOUT.toNanos())
              .thenAccept(taken -> contact(server).lives(world.nanoTime()));
    }
  }
}
