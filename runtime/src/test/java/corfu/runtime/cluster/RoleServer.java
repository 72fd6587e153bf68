package corfu.runtime.cluster;

import corfu.access.AccessPolicy;
import corfu.access.Subject;
import corfu.access.audit.AuditTrail;
import corfu.access.gate.AccessGate;
import corfu.access.gate.GateOptions;
import corfu.access.gate.SequencerKeys;
import corfu.access.gate.Surroundings;
import corfu.access.gate.TrustedIdentities;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
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
import corfu.roles.layout.LayoutServer;
import corfu.roles.layout.LeaseTerms;
import corfu.roles.logunit.LogUnit;
import corfu.roles.sequencer.Sequencer;
import corfu.runtime.Corfu;
import corfu.transport.RequestHandler;
import corfu.transport.Transport;
import corfu.transport.inprocess.InProcessServer;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.RealDisk;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One server of a {@link RoleCluster}, which may die and come back. For one thread. */
final class RoleServer {

  private final RoleCluster cluster;
  private final String name;
  private final Endpoint endpoint;
  private final boolean decidesLayouts;
  private Optional<Life> life = Optional.empty();

  /** All servers draw the same key, so that none has to ask for it. */
  private static final long SECRET = 7;

  RoleServer(RoleCluster cluster, String name, Endpoint endpoint, boolean decidesLayouts) {
    this.cluster = cluster;
    this.name = name;
    this.endpoint = endpoint;
    this.decidesLayouts = decidesLayouts;
  }

  String name() {
    return name;
  }

  /** Starts it unless it runs. */
  void start() {
    if (life.isEmpty()) {
      life = Optional.of(new Life());
    }
  }

  /** Enforces a policy, until the server dies. */
  void enforce(AccessPolicy policy) {
    life.ifPresent(alive -> alive.enforce(policy));
  }

  void close() {
    life.ifPresent(Life::close);
    life = Optional.empty();
  }

  void kill() {
    life.ifPresent(Life::kill);
    life = Optional.empty();
  }

  /** Everything that ends when its process would. */
  private final class Life implements RequestHandler {

    private final RealWorld world = new RealWorld();
    private final Loop loop = world.loop("corfu-" + name);
    private final List<AutoCloseable> files = new ArrayList<>();
    private final Sequencer sequencer =
        new Sequencer(cluster.limits(), world.random().nextLong(), epoch -> true);
    private final LogUnit unit = openUnit();
    private final Optional<LayoutServer> layoutServer =
        decidesLayouts
            ? Optional.of(LayoutServer.inMemory(LeaseTerms.OFF, world))
            : Optional.empty();
    private final Transport transport = cluster.openTransport();
    private final Optional<RoleNeighbor> neighbor =
        cluster.neighbor().map(opener -> opener.open(name, world, loop, this::connect));
    private final Optional<AccessGate> gate =
        cluster.isGated() ? Optional.of(openGate()) : Optional.empty();
    private final AtomicReference<Optional<Corfu>> client = new AtomicReference<>(Optional.empty());
    private Epoch spread = Epoch.NONE;
    private volatile boolean killed;

    /** Last: requests come from now on. */
    private final InProcessServer listener = cluster.network().register(endpoint, this, loop);

    private LogUnit openUnit() {
      Optional<Path> directory = cluster.unitDirectory(name);
      if (directory.isEmpty()) {
        return LogUnit.inMemory(cluster.unitOptions(), world);
      }
      RealDisk disk = RealDisk.open(directory.get());
      files.addFirst(disk);
      return LogUnit.open(
          disk, cluster.unitOptions().fittedTo(disk), world, offload("sync"), offload("upkeep"));
    }

    private Offload offload(String work) {
      Loop worker = world.loop("corfu-" + work + "-" + name);
      files.addFirst(worker);
      return Offload.to(
          worker,
          task ->
              loop.execute(
                  () -> {
                    if (!killed) {
                      task.run();
                    }
                  }));
    }

    private Corfu connect() {
      return Corfu.connect(cluster.clientOptions().withoutReports(), world, transport);
    }

    private AccessGate openGate() {
      Surroundings surroundings =
          new Surroundings(
              unit.entries(),
              call -> false,
              epoch -> {},
              () -> Long.MAX_VALUE,
              world::nanoTime,
              new SplittableRandom(SECRET)::nextLong,
              SequencerKeys.NONE);
      return new AccessGate(
          GateOptions.DEFAULT,
          new TrustedIdentities(List.of(new Subject.Exact(RoleCluster.SERVER)), List.of()),
          surroundings,
          new AuditTrail(event -> {}, world::nanoTime),
          this::handleAllowed);
    }

    void enforce(AccessPolicy policy) {
      onLoop(() -> gate.orElseThrow().enforce(policy));
    }

    @Override
    public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
      if (gate.isPresent()) {
        gate.get().handle(request, origin, reply);
      } else {
        handleAllowed(request, origin, reply);
      }
    }

    /** Settles with a client of its own, on a thread of its own. */
    private void settle(Consumer<Corfu> work, Consumer<Reply> reply) {
      world.start(
          "settle-" + name,
          () -> {
            Corfu corfu = client.updateAndGet(open -> open.or(() -> Optional.of(connect()))).get();
            Reply done = Reply.Done.DONE;
            try {
              work.accept(corfu);
            } catch (RuntimeException failure) {
              done = new Failure.NotServing(failure.toString());
            }
            Reply answer = done;
            loop.execute(() -> reply.accept(answer));
          });
    }

    private static void settleAll(AddressSet addresses, Corfu corfu) {
      for (int i = 0; i < addresses.count(); i++) {
        var unused = corfu.log().read(new Address(addresses.at(i)));
      }
    }

    private void handleAllowed(Request request, RequestOrigin origin, Consumer<Reply> reply) {
      if (request instanceof LayoutRequest.Report report && layoutServer.isPresent()) {
        reply.accept(layoutServer.get().take(report, origin));
      } else {
        handle(request, reply);
      }
    }

    @Override
    public void handle(Request request, Consumer<Reply> reply) {
      switch (request) {
        case LogUnitRequest.Install install -> unit.handle(install, thenSpread(reply));
        case LogUnitRequest forUnit -> unit.handle(forUnit, reply);
        case SequencerRequest forSequencer -> sequencer.handle(forSequencer, reply);
        case LayoutRequest.Learn learn when layoutServer.isPresent() ->
            layoutServer.get().handle(learn, thenSpread(reply));
        case LayoutRequest forLayout when layoutServer.isPresent() ->
            layoutServer.get().handle(forLayout, reply);
        case LayoutRequest.Fetch fetch ->
            reply.accept(
                unit.layout()
                    .<Reply>map(LayoutReply.Current::new)
                    .orElseGet(Failure.NotBootstrapped::new));
        case ViewRequest forViews when neighbor.isPresent() ->
            neighbor.get().handle(forViews, reply);
        case NodeRequest.Hello hello ->
            reply.accept(
                new NodeReply.Welcome(
                    Math.min(hello.newestVersion(), FrameCodec.NEWEST_VERSION),
                    newestLayout().map(Layout::clusterId),
                    name));
        case NodeRequest.Settle settle when gate.isPresent() ->
            settle(corfu -> settleAll(settle.addresses(), corfu), reply);
        case NodeRequest.SettleStreams settle when gate.isPresent() ->
            settle(corfu -> corfu.streamAccess().ends(settle.streams()), reply);
        case NodeRequest.AskStatus ask -> reply.accept(status());
        default -> reply.accept(new Failure.NotServing(name + " has no role for " + request));
      }
    }

    @Override
    public void turnEnded() {
      sequencer.turnEnded();
      unit.turnEnded();
      layoutServer.ifPresent(LayoutServer::turnEnded);
    }

    /** Gives a layout that one role has learned to the other one, too. */
    private Consumer<Reply> thenSpread(Consumer<Reply> reply) {
      return answer -> {
        reply.accept(answer);
        newestLayout().filter(layout -> spread.isBefore(layout.epoch())).ifPresent(this::spread);
      };
    }

    private void spread(Layout layout) {
      spread = layout.epoch();
      if (isOlder(unit.layout(), layout)) {
        unit.handle(new LogUnitRequest.Install(layout), unused -> {});
      }
      layoutServer
          .filter(role -> isOlder(role.newestLayout(), layout))
          .ifPresent(role -> role.handle(new LayoutRequest.Learn(layout), unused -> {}));
      turnEnded();
    }

    private static boolean isOlder(Optional<Layout> known, Layout layout) {
      return known.map(Layout::epoch).orElse(Epoch.NONE).isBefore(layout.epoch());
    }

    private Optional<Layout> newestLayout() {
      return Stream.concat(
              unit.layout().stream(), layoutServer.flatMap(LayoutServer::newestLayout).stream())
          .max((a, b) -> a.epoch().compareTo(b.epoch()));
    }

    private Reply status() {
      Optional<Layout> newest = newestLayout();
      Optional<ClusterId> id = newest.map(Layout::clusterId);
      Epoch epoch = newest.map(Layout::epoch).orElse(Epoch.NONE);
      Health health =
          new Health(
              unit.state(),
              sequencer.state(),
              layoutServer.map(LayoutServer::state).orElse(Health.State.ABSENT),
              unit.incarnation(),
              layoutServer.map(LayoutServer::incarnation).orElse(Incarnation.NONE),
              "");
      List<String> roles = new ArrayList<>(List.of("sequencer", "log-unit"));
      layoutServer.ifPresent(role -> roles.add("layout-server"));
      neighbor.ifPresent(host -> roles.add("views"));
      return new NodeReply.Status(name, id, epoch, roles, health, List.of());
    }

    /** Ends it in good order. */
    private void close() {
      listener.close();
      neighbor.ifPresent(RoleNeighbor::close);
      onLoop(
          () -> {
            sequencer.close();
            unit.close();
            layoutServer.ifPresent(LayoutServer::close);
          });
      end();
    }

    /** Its replies that are still to come never leave, and what it has not written is lost. */
    private void kill() {
      listener.close();
      killed = true;
      onLoop(
          () -> {
            neighbor.ifPresent(RoleNeighbor::abandon);
            sequencer.close();
            unit.abandon();
          });
      end();
    }

    private void onLoop(Runnable task) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      loop.execute(
          () -> {
            try {
              task.run();
              done.complete(null);
            } catch (RuntimeException | Error failure) {
              done.completeExceptionally(failure);
            }
          });
      done.join();
    }

    private void end() {
      transport.close();
      loop.close();
      for (AutoCloseable file : files) {
        try {
          file.close();
        } catch (Exception failure) {
          throw new AssertionError("cannot close " + file, failure);
        }
      }
      world.close();
    }
  }
}
