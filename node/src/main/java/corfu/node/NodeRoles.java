package corfu.node;

import corfu.objects.host.ViewHost;
import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.Role;
import corfu.roles.SealedEpochs;
import corfu.roles.layout.LayoutServer;
import corfu.roles.logunit.LogUnit;
import corfu.roles.sequencer.Sequencer;
import corfu.transport.RequestHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One server's roles behind one address: each request goes to its role. Lives on the server's loop.
 */
final class NodeRoles implements RequestHandler {

  private final String name;
  private final NodeReply.Names names;
  private final Optional<Sequencer> sequencer;
  private final Optional<LogUnit> logUnit;
  private final Optional<LayoutServer> layoutServer;
  private final Optional<ViewHost> views;

  /** The configured roles that do not run, with the reasons. */
  private final Map<RoleKind, String> out;

  private final List<Role<?>> all = new ArrayList<>();
  private RequestHandler way = this;
  private Runnable layoutChanged = () -> {}; // called when a role may have a newer layout
  private Runnable startedAhead = () -> {}; // in an epoch whose layout is unknown here
  private Supplier<Epoch> heardOf = () -> Epoch.NONE; // the newest epoch told by layout servers
  private Runnable heardOfAnother = () -> {}; // called when a request has a much later epoch
  private Supplier<List<NodeReply.Rebuild>> rebuilds = List::of;
  private Supplier<Optional<String>> trouble = Optional::empty;
  private Epoch installing = Epoch.NONE;
  private Epoch learning = Epoch.NONE;

  /** For other threads. A server never leaves its cluster. */
  private volatile Optional<ClusterId> knownCluster;

  /**
   * @param name the server's name
   * @param names the names of the cluster's servers
   * @param sequencer the sequencer, if any
   * @param logUnit the log unit, if any
   * @param layoutServer the layout server, if any
   * @param views the host of views, if any
   * @param out the configured roles with unusable disks, and the reasons
   */
  NodeRoles(
      String name,
      NodeReply.Names names,
      Optional<Sequencer> sequencer,
      Optional<LogUnit> logUnit,
      Optional<LayoutServer> layoutServer,
      Optional<ViewHost> views,
      Map<RoleKind, String> out) {
    this.name = name;
    this.names = names;
    this.out = Collections.unmodifiableMap(new LinkedHashMap<>(out));
    this.sequencer = sequencer;
    this.logUnit = logUnit;
    this.layoutServer = layoutServer;
    this.views = views;
    sequencer.ifPresent(all::add);
    logUnit.ifPresent(all::add);
    layoutServer.ifPresent(all::add);
    knownCluster = clusterId();
  }

  /**
   * @param around the handler for this server's requests to itself, which is that of all requests
   * @param keeper asks for leases
   * @param underWay returns the running copies
   * @param incurable returns the problem that the agent cannot cure
   */
  void connect(
      RequestHandler around,
      LeaseKeeper keeper,
      Supplier<List<NodeReply.Rebuild>> underWay,
      Supplier<Optional<String>> incurable) {
    way = around;
    layoutChanged = keeper::layoutChanged;
    startedAhead = keeper::sequencerStarted;
    heardOf = keeper::newestEpoch;
    heardOfAnother = keeper::askAgainSoon;
    rebuilds = underWay;
    trouble = incurable;
  }

  @Override
  public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    if (request instanceof LayoutRequest.Report report && layoutServer.isPresent()) {
      reply.accept(layoutServer.get().take(report, origin));
    } else {
      handle(request, reply);
    }
  }

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    Optional<String> disbelief = UndecidedEpochs.objection(request, newestKnown());
    if (disbelief.isPresent()) {
      reply.accept(new Failure.NotServing(disbelief.get()));
      heardOfAnother.run();
    } else {
      dispatch(request, reply);
    }
  }

  private Epoch newestKnown() {
    Epoch here = epochOf(newestLayout());
    Epoch told = heardOf.get();
    return here.isBefore(told) ? told : here;
  }

  private void dispatch(Request request, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest.Install install ->
          give(logUnit, RoleKind.LOG_UNIT, install, thenLayoutChanged(reply));
      case LayoutRequest.Learn learn ->
          give(layoutServer, RoleKind.LAYOUT_SERVER, learn, thenLayoutChanged(reply));
      case LogUnitRequest forUnit -> give(logUnit, RoleKind.LOG_UNIT, forUnit, reply);
      case SequencerRequest.Start start ->
          give(sequencer, RoleKind.SEQUENCER, start, thenAsked(reply));
      case SequencerRequest forSequencer ->
          give(sequencer, RoleKind.SEQUENCER, forSequencer, reply);
      case LayoutRequest.Fetch fetch when layoutServer.isEmpty() -> reply.accept(installed());
      case LayoutRequest forLayout -> give(layoutServer, RoleKind.LAYOUT_SERVER, forLayout, reply);
      case ViewRequest forViews -> give(forViews, reply);
      case NodeRequest.Hello hello -> reply.accept(greet(hello));
      case NodeRequest.AskStatus ask -> reply.accept(status());
      case NodeRequest.AskNames ask -> reply.accept(names);
      case NodeRequest.Introduce introduce -> reply.accept(Reply.Done.DONE);
      case NodeRequest.Settle settle -> reply.accept(settlesNothing());
      case NodeRequest.SettleStreams settle -> reply.accept(settlesNothing());
      case NodeRequest.AskAccess ask -> reply.accept(NodeReply.Access.OPEN);
      case NodeRequest.AskTokenKey ask -> reply.accept(new NodeReply.SealingKey(Optional.empty()));
      case NodeRequest.AskQuotas ask -> reply.accept(new NodeReply.Quotas(List.of()));
    }
  }

  /** Every client may settle addresses and streams itself where no permissions are enforced. */
  private Failure settlesNothing() {
    return new Failure.NotServing(
        "server " + name + " settles no addresses and streams for others; do it yourself");
  }

  /**
   * Reports a changed layout after the answer, but only if it has changed: otherwise a role that
   * cannot accept a layout would be asked again at once.
   */
  private Consumer<Reply> thenLayoutChanged(Consumer<Reply> reply) {
    Epoch newest = epochOf(newestLayout());
    Optional<Epoch> common = commonEpoch();
    return answer -> {
      reply.accept(answer);
      if (knownCluster.isEmpty()) {
        knownCluster = clusterId();
      }
      if (!newest.equals(epochOf(newestLayout())) || !common.equals(commonEpoch())) {
        layoutChanged.run();
      }
    };
  }

  /** Reports a sequencer that was started before its server has heard of the layout. */
  private Consumer<Reply> thenAsked(Consumer<Reply> reply) {
    return answer -> {
      reply.accept(answer);
      if (epochOf(newestLayout()).isBefore(epoch())) {
        startedAhead.run();
      }
    };
  }

  private <Q extends Request> void give(
      Optional<? extends Role<Q>> role, RoleKind kind, Q request, Consumer<Reply> reply) {
    if (role.isPresent()) {
      if (kind != RoleKind.LOG_UNIT && logUnit.isPresent()) {
        logUnit.get().neighborRequested();
      }
      role.get().handle(request, reply);
    } else {
      String why = out.containsKey(kind) ? "; " + out.get(kind) : "";
      reply.accept(new Failure.NotServing("server " + name + " is no " + kind.text() + why));
    }
  }

  private void give(ViewRequest request, Consumer<Reply> reply) {
    if (views.isPresent()) {
      logUnit.ifPresent(LogUnit::neighborRequested);
      views.get().handle(request, reply);
    } else {
      reply.accept(new Failure.NotServing("server " + name + " hosts no views"));
    }
  }

  @Override
  public void turnEnded() {
    for (Role<?> role : all) {
      role.turnEnded();
    }
  }

  /**
   * Returns the log unit's layout, because a server without a layout server can still tell it to a
   * newcomer.
   */
  private Reply installed() {
    Optional<Layout> layout = logUnit.flatMap(LogUnit::layout);
    return layout.<Reply>map(LayoutReply.Current::new).orElseGet(Failure.NotBootstrapped::new);
  }

  private Reply greet(NodeRequest.Hello hello) {
    if (hello.oldestVersion() > FrameCodec.NEWEST_VERSION
        || hello.newestVersion() < FrameCodec.OLDEST_VERSION) {
      return new Failure.Refused(
          Failure.Cause.UNSUPPORTED_VERSION,
          "the client speaks versions "
              + hello.oldestVersion()
              + " to "
              + hello.newestVersion()
              + " of the protocol, server "
              + name
              + " speaks "
              + FrameCodec.OLDEST_VERSION
              + " to "
              + FrameCodec.NEWEST_VERSION);
    }
    Optional<ClusterId> ours = clusterId();
    if (ours.isPresent() && hello.cluster().isPresent() && !ours.equals(hello.cluster())) {
      return new Failure.WrongCluster(ours.get());
    }
    return new NodeReply.Welcome(
        Math.min(hello.newestVersion(), FrameCodec.NEWEST_VERSION), ours, name);
  }

  private Reply status() {
    List<String> roles = new ArrayList<>();
    sequencer.ifPresent(role -> roles.add(RoleKind.SEQUENCER.text()));
    layoutServer.ifPresent(role -> roles.add(RoleKind.LAYOUT_SERVER.text()));
    logUnit.ifPresent(role -> roles.add(RoleKind.LOG_UNIT.text()));
    views.ifPresent(role -> roles.add(RoleKind.VIEWS.text()));
    out.keySet().forEach(kind -> roles.add(kind.text()));
    return new NodeReply.Status(name, clusterId(), epoch(), roles, health(), rebuilds.get());
  }

  /** Returns the state of the roles. */
  Health health() {
    return new Health(
        logUnit.map(LogUnit::state).orElseGet(() -> withoutRole(RoleKind.LOG_UNIT)),
        sequencer.map(Sequencer::state).orElse(Health.State.ABSENT),
        layoutServer.map(LayoutServer::state).orElseGet(() -> withoutRole(RoleKind.LAYOUT_SERVER)),
        logUnit.map(LogUnit::incarnation).orElse(Incarnation.NONE),
        layoutServer.map(LayoutServer::incarnation).orElse(Incarnation.NONE),
        problem());
  }

  private Health.State withoutRole(RoleKind kind) {
    return out.containsKey(kind) ? Health.State.BROKEN : Health.State.ABSENT;
  }

  private String problem() {
    List<String> problems = new ArrayList<>(out.values());
    logUnit
        .filter(unit -> unit.state() == Health.State.BROKEN)
        .ifPresent(unit -> problems.add(unit.detail()));
    layoutServer
        .filter(role -> role.state() == Health.State.BROKEN)
        .ifPresent(broken -> problems.add("the layout server cannot write to its disk"));
    logUnit
        .filter(unit -> unit.state() == Health.State.SEALED)
        .map(LogUnit::epoch)
        .filter(newestKnown()::isBefore)
        .ifPresent(
            epoch ->
                problems.add(
                    "its log unit is sealed at epoch %s, which is not known to have been decided"
                        .formatted(epoch)));
    trouble.get().ifPresent(problems::add);
    return String.join("; ", problems);
  }

  /**
   * Passes a decided layout to the roles whose layout is older. Seals a sequencer of an older
   * epoch: otherwise the server's next lease would allow it to tell a wrong tail.
   */
  void learn(Layout layout) {
    Epoch epoch = layout.epoch();
    if (sequencer.filter(role -> servesBefore(role, epoch)).isPresent()) {
      way.handle(new SequencerRequest.Seal(new Epoch(epoch.value() - 1)), answer -> {});
    }
    Optional<Epoch> units = logUnit.map(unit -> epochOf(unit.layout()));
    if (units.isPresent() && units.get().isBefore(epoch) && installing.isBefore(epoch)) {
      installing = epoch;
      way.handle(new LogUnitRequest.Install(layout), done -> installing = Epoch.NONE);
    }
    Optional<Epoch> servers = layoutServer.map(role -> epochOf(role.newestLayout()));
    if (servers.isPresent() && servers.get().isBefore(epoch) && learning.isBefore(epoch)) {
      learning = epoch;
      way.handle(new LayoutRequest.Learn(layout), done -> learning = Epoch.NONE);
    }
    way.turnEnded();
  }

  private static boolean servesBefore(Sequencer role, Epoch epoch) {
    return role.state() == Health.State.SERVING && role.epoch().isBefore(epoch);
  }

  /**
   * Returns the epoch of the newest layout that both the log unit and the layout server have, as
   * far as they are here; empty if neither is.
   */
  Optional<Epoch> commonEpoch() {
    return Stream.concat(
            logUnit.map(unit -> epochOf(unit.layout())).stream(),
            layoutServer.map(role -> epochOf(role.newestLayout())).stream())
        .min(Epoch::compareTo);
  }

  private static Epoch epochOf(Optional<Layout> layout) {
    return layout.map(Layout::epoch).orElse(Epoch.NONE);
  }

  /** Returns the roles that can be sealed, by name. */
  Map<String, SealedEpochs> sealable() {
    Map<String, SealedEpochs> sealable = new LinkedHashMap<>();
    sequencer.ifPresent(role -> sealable.put(RoleKind.SEQUENCER.text(), role));
    logUnit.ifPresent(unit -> sealable.put(RoleKind.LOG_UNIT.text(), unit.sealedEpochs()));
    return sealable;
  }

  Optional<LogUnit> logUnit() {
    return logUnit;
  }

  boolean decidesLayouts() {
    return layoutServer.isPresent();
  }

  /** Returns the server's cluster; may be called on any thread. */
  Optional<ClusterId> knownCluster() {
    return knownCluster;
  }

  private Optional<ClusterId> clusterId() {
    return newestLayout().map(Layout::clusterId);
  }

  private Epoch epoch() {
    return Stream.concat(
            newestLayout().map(Layout::epoch).stream(), sequencer.map(Sequencer::epoch).stream())
        .max(Epoch::compareTo)
        .orElse(Epoch.NONE);
  }

  /** Returns the newest layout that any role here knows. */
  Optional<Layout> newestLayout() {
    return Stream.concat(
            layoutServer.flatMap(LayoutServer::newestLayout).stream(),
            logUnit.flatMap(LogUnit::layout).stream())
        .max((a, b) -> a.epoch().compareTo(b.epoch()));
  }

  /** Frees memory after the process has died, and touches no file. */
  void abandon() {
    sequencer.ifPresent(Sequencer::close);
    logUnit.ifPresent(LogUnit::abandon);
  }

  /** Ends the roles that hold files or memory. */
  void close() {
    sequencer.ifPresent(Sequencer::close);
    logUnit.ifPresent(LogUnit::close);
    layoutServer.ifPresent(LayoutServer::close);
  }
}
