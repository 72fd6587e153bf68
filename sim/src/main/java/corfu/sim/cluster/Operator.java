package corfu.sim.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.CorfuException;
import corfu.runtime.rebuild.Rebuild;
import corfu.runtime.rebuild.RebuildOptions;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.sim.world.ProcessLife;
import corfu.sim.world.SimTransport;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * An operator, who changes the cluster. An operator finishes every task that it has begun, if
 * necessary in its next life. Without agents this is needed: a half-done reconfiguration has sealed
 * servers that only a finished one unseals.
 */
public final class Operator {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Simulator simulator;
  private final ClusterShape arrangement;
  private final String name;
  private final CrashPoint crashPoint;
  private final ArrayDeque<Errand> errands = new ArrayDeque<>();
  private Optional<ProcessLife> life = Optional.empty();
  private boolean bootstrapped;

  /** A task of an operator. */
  private record Errand(String name, Job job) {}

  /** The steps of a task, repeated until they succeed. */
  private interface Job {
    Layout run(Hands hands);
  }

  /** The tools of an operator in one life. */
  private final class Hands {
    final SimWorld world;
    final Transport transport;
    final Reconfiguration reconfiguration;
    final Observers observers;

    Hands(SimWorld world) {
      this.world = world;
      SimTransport way =
          new SimTransport(
              simulator.network,
              world,
              Optional.empty(),
              ClientOptions.DEFAULT.withLimits(arrangement.unitOptions().limits()));
      this.transport = crashPoint.around(way, world.life());
      this.reconfiguration = new Reconfiguration(world, transport, REQUEST_TIMEOUT, TIMEOUT);
      Duration suspicion = arrangement.config().supervision().suspicion();
      this.observers = new Observers(world, transport, suspicion, suspicion);
    }

    /** Returns the incarnation of a layout server's disk. */
    Incarnation acceptorOf(Endpoint server) {
      Peer peer = transport.peer(server);
      Reply reply = Peer.await(peer.send(new NodeRequest.AskStatus(), REQUEST_TIMEOUT.toNanos()));
      return reply instanceof NodeReply.Status status
          ? status.health().acceptor()
          : Incarnation.NONE;
    }

    Layout newest() {
      return reconfiguration.find(arrangement.contacts()).orElse(arrangement.layout());
    }

    /** Does the work of agents: drops failed servers, uses free ones, and copies missing data. */
    Layout mend() {
      Layout layout = heal();
      for (var segment : layout.segments()) {
        if (segment.hasTarget()) {
          Optional<Layout> copied = copy(layout, segment.start());
          if (copied.isPresent()) {
            ClusterHealth now = observers.ask(copied.get());
            return reconfiguration.finish(copied.get(), segment.start(), now);
          }
        }
      }
      return layout;
    }

    /**
     * Brings the layout as close to the wanted one as possible. In the first epoch nothing is
     * changed: the cluster is still being made.
     *
     * <p>If the layout has changed, by this operator or another one, the operator looks again
     * before it renews anything. Otherwise two operators would overtake each other forever.
     */
    private Layout heal() {
      Layout newest = newest();
      ClusterHealth clusterHealth = observers.ask(newest);
      if (!clusterHealth.hasMajority() || !Epoch.FIRST.isBefore(newest.epoch())) {
        return newest;
      }
      Layout healed = reconfiguration.heal(newest, clusterHealth);
      boolean isAsItWas = healed.epoch().equals(newest.epoch());
      return isAsItWas ? reconfiguration.serve(healed) : healed;
    }

    /**
     * Copies a segment. The copy waits for the log units that it needs: units that fail meanwhile
     * are dropped.
     */
    private Optional<Layout> copy(Layout layout, long segment) {
      Rebuild rebuild =
          new Rebuild(
              world,
              transport,
              REQUEST_TIMEOUT,
              arrangement.unitOptions().limits(),
              RebuildOptions.DEFAULT);
      CompletableFuture<Optional<Layout>> copied = new CompletableFuture<>();
      world.start(
          "copy",
          () -> {
            try {
              copied.complete(rebuild.run(layout, segment, progress -> {}));
            } catch (CorfuException | TransportException obstacle) {
              simulator.trace.say(name, () -> "cannot copy yet: " + obstacle.getMessage());
              copied.complete(Optional.empty());
            }
          });
      while (!copied.isDone()) {
        world.pause(PAUSE);
        try {
          heal();
        } catch (CorfuException | TransportException notYet) {
          simulator.trace.say(name, () -> "cannot heal: " + notYet.getMessage());
        }
      }
      return copied.join();
    }
  }

  public Operator(
      Simulator simulator, ClusterShape arrangement, String name, CrashPoint crashPoint) {
    this.simulator = simulator;
    this.arrangement = arrangement;
    this.name = name;
    this.crashPoint = crashPoint;
  }

  public String name() {
    return name;
  }

  /** Returns the crash point, which kills the operator at a step of a layout change. */
  public CrashPoint crashPoint() {
    return crashPoint;
  }

  public boolean isIdle() {
    return errands.isEmpty();
  }

  public boolean hasBootstrapped() {
    return bootstrapped;
  }

  public void bootstrap() {
    ask(
        "bootstrap",
        hands -> {
          Layout layout = hands.reconfiguration.bootstrap(arrangement.layout());
          bootstrapped = true;
          return layout;
        });
  }

  /** Replaces the layout by the next one. */
  public void renew() {
    ask("renew", hands -> hands.reconfiguration.renew(hands.newest()));
  }

  /** Does the work of agents until it is enough, at least once. */
  public void mend(BooleanSupplier isEnough) {
    ask(
        "mend",
        hands -> {
          Layout layout = hands.mend();
          while (!isEnough.getAsBoolean()) {
            hands.world.pause(PAUSE);
            layout = hands.mend();
          }
          return layout;
        });
  }

  /** Changes the layout in this way. */
  public void wish(String what, UnaryOperator<Layout> wish) {
    ask(
        what,
        hands -> {
          Layout newest = hands.newest();
          return hands.reconfiguration.change(newest, wish, hands.observers.ask(newest));
        });
  }

  /**
   * Adds a layout server.
   *
   * @param isGone whether the server has permanently failed meanwhile: then the operator does not
   *     wait for it
   */
  public void welcome(Endpoint layoutServer, BooleanSupplier isGone) {
    ask(
        "make a layout server of " + layoutServer.host(),
        hands -> {
          if (isGone.getAsBoolean()) {
            return hands.newest();
          }
          Incarnation acceptor = hands.acceptorOf(layoutServer);
          Layout newest = hands.newest();
          return hands.reconfiguration.change(
              newest,
              now -> LayoutChanges.withLayoutServer(now, layoutServer, acceptor),
              hands.observers.ask(newest));
        });
  }

  private void ask(String what, Job job) {
    errands.add(new Errand(what, job));
    start();
  }

  /** Continues with its unfinished tasks. */
  public void start() {
    if (life.isEmpty() && !errands.isEmpty()) {
      SimWorld world = simulator.born(name, arrangement.clockDriftPerMille());
      life = Optional.of(world.life());
      world.start("errands", () -> runAll(new Hands(world)));
    }
  }

  private void runAll(Hands hands) {
    while (!errands.isEmpty()) {
      untilDone(errands.element(), hands);
      errands.remove();
    }
    hands.world.life().end();
    life = Optional.empty();
  }

  private void untilDone(Errand errand, Hands hands) {
    simulator.trace.say(name, () -> "begins to " + errand.name());
    while (true) {
      try {
        Layout layout = errand.job().run(hands);
        simulator.trace.say(name, () -> errand.name() + ": epoch " + layout.epoch());
        return;
      } catch (CorfuException | TransportException notYet) {
        simulator.trace.say(name, () -> "cannot " + errand.name() + " yet: " + notYet.getMessage());
        hands.world.pause(PAUSE);
        mendFirst(hands);
      }
    }
  }

  /** Repairs the cluster first if it has no agents: then only operators do. */
  private void mendFirst(Hands hands) {
    if (!arrangement.hasAgents()) {
      try {
        hands.mend();
      } catch (CorfuException | TransportException notYet) {
        simulator.trace.say(name, () -> "cannot mend: " + notYet.getMessage());
      }
    }
  }

  public void kill() {
    if (life.isPresent()) {
      simulator.trace.say(name, () -> "is killed");
      life.get().end();
      life = Optional.empty();
    }
  }
}
