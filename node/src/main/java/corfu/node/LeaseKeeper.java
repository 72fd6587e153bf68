package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.Loop;
import corfu.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends regular signs of life to the layout servers, which renew this server's lease, and learns
 * newer layouts from them. Lives on the server's loop.
 *
 * <p>Requests leave on threads of their own, because a transport may make its caller wait.
 */
final class LeaseKeeper {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  /**
   * The number of retries between two signs of life. A layout server that is writing to its disk
   * finishes in a fraction of this.
   */
  private static final int RETRIES_BETWEEN_SIGNS = 8;

  private final World world;
  private final Loop loop;
  private final ServerConfig server;
  private final List<Endpoint> configured;
  private final Supervision supervision;
  private final ServerLease lease;
  private final NodeRoles roles;
  private final LeaseLog news = new LeaseLog();
  private final UndecidedEpochs undecided;
  private final ReplyGaps gaps;

  private Optional<Transport> transport = Optional.empty();
  private World.Timer timer = () -> {};

  /** The timer of a retry before the next sign is due. */
  private Optional<World.Timer> retry = Optional.empty();

  /** The newest layout from other servers; the roles may not have it yet. */
  private Optional<Layout> told = Optional.empty();

  /**
   * The layout servers that did not know the newest layout at a request for a lease, with its
   * epoch.
   */
  private final Map<Endpoint, Epoch> ignorant = new HashMap<>();

  private Epoch lastSent = Epoch.NONE;
  private long questions;

  /**
   * @param world the clock and timers
   * @param loop the server's loop
   * @param server the server's configuration
   * @param configured the layout servers to ask while no layout is known
   * @param supervision the times of leases and signs
   * @param lease the server's lease
   * @param roles the server's roles
   */
  LeaseKeeper(
      World world,
      Loop loop,
      ServerConfig server,
      List<Endpoint> configured,
      Supervision supervision,
      ServerLease lease,
      NodeRoles roles) {
    this.world = world;
    this.loop = loop;
    this.server = server;
    this.configured = configured;
    this.supervision = supervision;
    this.lease = lease;
    this.roles = roles;
    this.undecided = new UndecidedEpochs(server.name(), roles.sealable());
    this.gaps = new ReplyGaps(supervision.suspicion());
  }

  void start(Transport way) {
    transport = Optional.of(way);
    tick();
  }

  void stop() {
    transport = Optional.empty();
    timer.cancel();
    retry.ifPresent(World.Timer::cancel);
  }

  private void tick() {
    if (transport.isPresent()) {
      timer = world.after(supervision.signs().toNanos(), () -> loop.execute(this::tick));
      newest().ifPresent(roles::learn); // a role may have missed it
      renew();
      noticeLoss();
    }
  }

  /**
   * Reacts to a newer layout of a role, which the other roles need, too. If there is a lease, it is
   * not renewed at once: the proposer of that layout is telling it to all servers, and clients wait
   * for that.
   */
  void layoutChanged() {
    if (transport.isPresent()) {
      dependOnTheNewest();
      newest().ifPresent(roles::learn);
      if (!epoch().equals(lastSent)) {
        renewWithinReason();
      }
    }
  }

  /**
   * Reacts to a start of the sequencer in an epoch whose layout is unknown here: the sequencer
   * cannot tell the tail until it is known. If the layout has another role for this server, the
   * server is being told of it.
   */
  void sequencerStarted() {
    if (transport.isPresent()) {
      if (newest().filter(this::isToldOf).isEmpty()) {
        renew();
      }
      askAgainSoon();
    }
  }

  private boolean isToldOf(Layout layout) {
    Endpoint here = server.listen();
    return layout.logUnits().contains(here) || layout.layoutServers().contains(here);
  }

  private void renewWithinReason() {
    if (lease.isValid()) {
      askAgainSoon();
    } else {
      renew();
    }
  }

  private void renew() {
    if (transport.isEmpty()) {
      return;
    }
    Transport way = transport.get();
    List<Endpoint> layoutServers = dependOnTheNewest();
    lastSent = epoch();
    LayoutRequest request = new LayoutRequest.Renew(lastSent, server.listen(), roles.health());
    long asked = world.nanoTime();
    long question = ++questions;
    newest()
        .filter(layout -> layout.epoch().equals(lastSent))
        .ifPresent(
            layout -> undecided.asking(question, asked, layout, supervision.lease().toNanos()));
    Set<Endpoint> unheard = new HashSet<>(layoutServers);
    unheard.removeIf(layoutServer -> !gaps.isTooLong(layoutServer, asked));
    layoutServers.forEach(layoutServer -> gaps.asking(layoutServer, asked));
    world.start(
        "corfu-sign-of-life",
        () -> {
          for (Endpoint layoutServer : layoutServers) {
            if (unheard.contains(layoutServer)) {
              probe(way.peer(layoutServer));
            } else {
              send(way.peer(layoutServer), request, asked, question);
            }
          }
        });
  }

  /** Checks whether replies arrive again, without a sign of life. */
  private void probe(Peer layoutServer) {
    var unused =
        layoutServer
            .send(new NodeRequest.AskStatus(), supervision.lease().toNanos())
            .thenAccept(
                reply ->
                    loop.execute(
                        () -> {
                          gaps.heard(layoutServer.endpoint());
                          askAgainSoon();
                        }));
  }

  private List<Endpoint> dependOnTheNewest() {
    List<Endpoint> layoutServers = newest().map(Layout::layoutServers).orElse(configured);
    lease.dependOn(newest().map(Layout::epoch).orElse(Epoch.NONE), layoutServers);
    return layoutServers;
  }

  private void send(Peer layoutServer, LayoutRequest request, long asked, long question) {
    var unused =
        layoutServer
            .send(request, supervision.lease().toNanos())
            .thenAccept(
                reply -> loop.execute(() -> take(layoutServer.endpoint(), reply, asked, question)));
  }

  private void take(Endpoint from, Reply reply, long asked, long question) {
    gaps.heard(from);
    if (transport.isEmpty()) {
      return;
    }
    switch (reply) {
      case LayoutReply.Granted(long millis) -> {
        lease.granted(from, asked, millis * 1_000_000);
        undecided.granted(from, question);
      }
      case LayoutReply.Decided(Layout newer) -> adopt(newer);
      case Failure.Behind(Epoch known) ->
          newest()
              .filter(layout -> known.isBefore(layout.epoch()))
              .ifPresent(layout -> teach(from, layout));
      default -> {} // a newer layout is being decided, or this server belongs to another cluster
    }
  }

  /**
   * Teaches a layout to a layout server that still does not know it when it is asked again soon.
   * The proposer of the layout is telling it to all servers, or has failed before. The second
   * question comes soon, because no lease has been granted since that layout was promised.
   */
  private void teach(Endpoint layoutServer, Layout layout) {
    boolean isFirstTime = !layout.epoch().equals(ignorant.put(layoutServer, layout.epoch()));
    if (transport.isEmpty()) {
      return;
    }
    if (isFirstTime) {
      askAgainSoon();
      return;
    }
    Transport way = transport.get();
    world.start(
        "corfu-teach",
        () -> {
          var unused =
              way.peer(layoutServer)
                  .send(new LayoutRequest.Learn(layout), supervision.lease().toNanos());
        });
  }

  /** Asks for a lease before the next sign is due. May be called often. */
  void askAgainSoon() {
    if (retry.isEmpty() && transport.isPresent()) {
      long nanos = supervision.signs().dividedBy(RETRIES_BETWEEN_SIGNS).toNanos();
      retry =
          Optional.of(
              world.after(
                  nanos,
                  () ->
                      loop.execute(
                          () -> {
                            retry = Optional.empty();
                            renew();
                          })));
    }
  }

  /** Returns the epoch of the newest layout from other servers or this server's roles. */
  Epoch newestEpoch() {
    return newest().map(Layout::epoch).orElse(Epoch.NONE);
  }

  private void adopt(Layout newer) {
    Epoch known = told.map(Layout::epoch).orElse(Epoch.NONE);
    if (known.isBefore(newer.epoch())) {
      told = Optional.of(newer);
    }
    layoutChanged();
  }

  private Optional<Layout> newest() {
    List<Layout> all = new ArrayList<>();
    told.ifPresent(all::add);
    roles.newestLayout().ifPresent(all::add);
    return all.stream().max((a, b) -> a.epoch().compareTo(b.epoch()));
  }

  /** Returns the epoch of the newest layout that all layout-storing roles have. */
  private Epoch epoch() {
    return roles.commonEpoch().orElse(told.map(Layout::epoch).orElse(Epoch.NONE));
  }

  private void noticeLoss() {
    if (!supervision.leases()) {
      return;
    }
    switch (news.look(lease.isValid(), world.nanoTime())) {
      case NOTHING -> {}
      case HELD -> LOG.info("server {} has its lease", server.name());
      case LATE ->
          LOG.info("the lease of server {} is late; until it comes, reads wait", server.name());
      case MISSING ->
          LOG.warn(
              "server {} has had no lease for {} s, and does not answer reads: no majority of the"
                  + " layout servers {} grants it",
              server.name(),
              LeaseLog.LATE_MAX.toSeconds(),
              newest().map(Layout::layoutServers).orElse(configured));
    }
  }
}
