package corfu.node.agent;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.runtime.CorfuException;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Observers;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs a cluster: drops suspected servers, finishes changes that others have left unfinished,
 * uses spares, and starts and ends rebuilds. An agent runs beside every layout server. The first
 * one that answers acts; if two act, they only do unnecessary work.
 */
public final class Agent implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  /** The time between two looks: shorter than the time between two signs of life. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** The timeout of a look: looks must follow each other soon enough to confirm each other. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(150);

  private final World world;
  private final Loop loop;
  private final Supplier<Optional<Layout>> newest;
  private final Observers observers;
  private final ClusterRepair healer;
  private final SuspicionConfirmation confirmation = new SuspicionConfirmation();
  private final Watch watch;
  private final AgentTurns turns;
  private final EpochRateLimiter healing = new EpochRateLimiter();

  /** A disturbed change is retried sooner than one that could not help. */
  private final RepeatBackoff disturbed = new RepeatBackoff(PAUSE, Duration.ofSeconds(1));

  private final RepeatBackoff rebuilding =
      new RepeatBackoff(Duration.ofMillis(200), Duration.ofSeconds(10));
  private final long startNanos;

  private volatile World.Timer timer = () -> {};
  private volatile boolean closed;

  /**
   * Whether a change of the layout is running. Its thread then owns the state that looks use
   * otherwise.
   */
  private volatile boolean changing;

  /** The problem that new epochs do not cure, for people. */
  private volatile Optional<String> trouble = Optional.empty();

  /** The running copy, or a finished one whose result has not been used yet. */
  private volatile Optional<Copying> copying = Optional.empty();

  /** The copying of one segment, with its progress and result. */
  private static final class Copying {
    private final long segment;
    private volatile Optional<NodeReply.Rebuild> progress = Optional.empty();
    private volatile Optional<Layout> copied = Optional.empty();
    private volatile boolean over;

    private Copying(long segment) {
      this.segment = segment;
    }
  }

  /**
   * @param world the clock and threads
   * @param loop the server's loop, on which the newest layout is read
   * @param transport the transport to the servers
   * @param self the layout server beside which the agent runs
   * @param newest returns the newest layout that this server knows
   * @param limits the cluster's limits
   * @param suspicion the silence after which a server is suspected
   * @param trust the time for which a dropped server must live before it is used again
   * @param lease the duration of leases
   */
  public Agent(
      World world,
      Loop loop,
      Transport transport,
      Endpoint self,
      Supplier<Optional<Layout>> newest,
      Limits limits,
      Duration suspicion,
      Duration trust,
      Duration lease) {
    this(
        world,
        loop,
        self,
        newest,
        new Observers(world, transport, suspicion, ANSWER_TIMEOUT),
        new ClientClusterRepair(world, transport, limits),
        new Watch(trust, lease, suspicion));
  }

  Agent(
      World world,
      Loop loop,
      Endpoint self,
      Supplier<Optional<Layout>> newest,
      Observers observers,
      ClusterRepair healer,
      Watch watch) {
    this.world = world;
    this.loop = loop;
    this.turns = new AgentTurns(self);
    this.newest = newest;
    this.observers = observers;
    this.healer = healer;
    this.watch = watch;
    this.startNanos = world.nanoTime();
  }

  /** Starts the supervision of the cluster. To be called once. */
  public void start() {
    arm();
  }

  /** Returns the running copies. */
  public List<NodeReply.Rebuild> rebuilds() {
    return copying.filter(now -> !now.over).flatMap(now -> now.progress).stream().toList();
  }

  /**
   * Returns the problem that this agent cannot cure, although epochs were installed for it; empty
   * if there is none.
   */
  public Optional<String> trouble() {
    return trouble;
  }

  /** Ends the agent. Its running work ends with its transport, or by itself. */
  @Override
  public void close() {
    closed = true;
    timer.cancel();
  }

  private void arm() {
    if (!closed) {
      timer = world.after(PAUSE.toNanos(), () -> loop.execute(this::begin));
    }
  }

  private void begin() {
    Optional<Layout> layout = newest.get();
    if (closed) {
      return;
    }
    if (layout.isEmpty() || layout.get().epoch().equals(Epoch.FIRST)) {
      arm(); // the cluster is still being bootstrapped
      return;
    }
    world.start(
        "corfu-agent",
        () -> {
          try {
            look(layout.get());
          } catch (RuntimeException failure) {
            if (!closed) {
              throw failure;
            }
          } finally {
            arm();
          }
        });
  }

  /**
   * Takes one look at the cluster. It never waits for a change, so that another server's failure
   * does not have to wait either.
   */
  private void look(Layout layout) {
    ClusterHealth clusterHealth = confirmation.of(observers.ask(layout), now());
    HealthAssessment finding = watch.look(clusterHealth, now());
    if (closed || !clusterHealth.hasMajority() || confirmation.hasDoubts()) {
      return;
    }
    healer.silent(clusterHealth.silent());
    if (changing) {
      return; // until it ends, the change owns this state
    }
    healing.saw(finding, now());
    trouble = healing.trouble();
    if (turns.isOurs(finding, now())) {
      act(layout, finding);
    }
  }

  private void act(Layout layout, HealthAssessment finding) {
    if (!finding.ailments().isEmpty()
        && healing.allows(finding, now())
        && disturbed.allows(finding.asCase(), now())) {
      change(() -> heal(finding));
      return;
    }
    if (copying.filter(now -> now.over).isPresent()) {
      change(() -> endRebuild(finding.clusterHealth()));
    } else if (copying.isEmpty()
        && finding.rebuild().isPresent()
        && rebuilding.allows(finding.rebuild().getAsLong(), now())) {
      startRebuild(layout, finding.rebuild().getAsLong());
    }
  }

  private void change(Runnable body) {
    changing = true;
    world.start(
        "corfu-agent-change",
        () -> {
          try {
            body.run();
          } catch (RuntimeException failure) {
            if (!closed) {
              throw failure;
            }
          } finally {
            changing = false;
          }
        });
  }

  private void heal(HealthAssessment finding) {
    Layout layout = finding.clusterHealth().layout();
    try {
      Layout next = healer.heal(layout, healing.clusterHealth(finding));
      if (layout.epoch().isBefore(next.epoch())) {
        LOG.info("installed epoch {} because {}", next.epoch(), finding.ailments());
        healing.epochCame(finding, next, now());
      } else if (healing.wasInVain(finding, now())) {
        LOG.info("nothing can be done yet about {}", finding.ailments());
      }
    } catch (CorfuException | TransportException obstacle) {
      healing.failed(finding);
      if (disturbed.wasInVain(finding.asCase(), now()) && !closed) {
        LOG.warn("cannot heal {} yet: {}", finding.ailments(), obstacle.getMessage());
      }
    }
  }

  private void startRebuild(Layout layout, long segment) {
    Copying begun = new Copying(segment);
    copying = Optional.of(begun);
    world.start("corfu-rebuild", () -> rebuild(layout, begun));
  }

  /** Copies a segment, on a thread of its own. */
  private void rebuild(Layout layout, Copying begun) {
    try {
      begun.copied =
          healer.rebuild(layout, begun.segment, progress -> begun.progress = Optional.of(progress));
    } catch (CorfuException | TransportException obstacle) {
      if (!closed) {
        LOG.warn(
            "cannot copy the segment from {} on yet: {}", begun.segment, obstacle.getMessage());
      }
    } catch (RuntimeException failure) {
      if (!closed) {
        throw failure;
      }
    } finally {
      begun.over = true;
    }
  }

  /** Puts a finished copy into effect. If that fails, a later look finds everything copied. */
  private void endRebuild(ClusterHealth clusterHealth) {
    Copying ended = copying.orElseThrow();
    copying = Optional.empty();
    if (ended.copied.isEmpty()) {
      rebuilding.wasInVain(ended.segment, now());
      return;
    }
    try {
      Layout next = healer.finish(ended.copied.get(), ended.segment, clusterHealth);
      LOG.info(
          "the segment from {} on serves from its copies since epoch {}",
          ended.segment,
          next.epoch());
      rebuilding.helped();
    } catch (CorfuException | TransportException obstacle) {
      rebuilding.wasInVain(ended.segment, now());
      if (!closed) {
        LOG.warn(
            "cannot use the copy of the segment from {} on yet: {}",
            ended.segment,
            obstacle.getMessage());
      }
    }
  }

  /** Returns the milliseconds since this agent was created. */
  private long now() {
    return world.millisSince(startNanos);
  }
}
