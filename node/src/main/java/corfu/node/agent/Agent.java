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
 * Mends a cluster: drops servers that are under suspicion, finishes what others have left half
 * done, uses spares, starts rebuilds and ends them. One beside every layout server; the first that
 * answers acts, and if two do, no harm is done but work.
 */
public final class Agent implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  /** Between one look and the next: shorter than the time between two signs of life. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Looks must follow each other soon enough to confirm each other. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(150);

  private final World world;
  private final Loop loop;
  private final Supplier<Optional<Layout>> newest;
  private final Observers observers;
  private final Healer healer;
  private final Confirmation confirmation = new Confirmation();
  private final Watch watch;
  private final Turns turns;
  private final HealingPace healing = new HealingPace();

  /** A change that was disturbed is tried again sooner than one that could not help. */
  private final Patience disturbed = new Patience(PAUSE, Duration.ofSeconds(1));

  private final Patience rebuilding = new Patience(Duration.ofMillis(200), Duration.ofSeconds(10));
  private final long startNanos;

  private volatile World.Timer timer = () -> {};
  private volatile boolean closed;

  /** Whether a change of the layout is under way. Its thread owns what looks use otherwise. */
  private volatile boolean changing;

  /** What epochs do not cure, for people. */
  private volatile Optional<String> trouble = Optional.empty();

  /** What is being copied, or was and has not been looked at since. */
  private volatile Optional<Copying> copying = Optional.empty();

  /** The copying of one segment: what it has got to, and what came of it. */
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
   * @param loop the server's, on which the newest layout is asked for
   * @param self the layout server beside which it runs
   * @param newest what that server knows to be the newest layout
   * @param limits the cluster's
   * @param suspicion who has been silent for longer is under suspicion
   * @param trust how long a server that was dropped must live before it is used again
   * @param lease how long leases last
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
        new RuntimeHealer(world, transport, limits),
        new Watch(trust, lease, suspicion));
  }

  Agent(
      World world,
      Loop loop,
      Endpoint self,
      Supplier<Optional<Layout>> newest,
      Observers observers,
      Healer healer,
      Watch watch) {
    this.world = world;
    this.loop = loop;
    this.turns = new Turns(self);
    this.newest = newest;
    this.observers = observers;
    this.healer = healer;
    this.watch = watch;
    this.startNanos = world.nanoTime();
  }

  /** Begins to look after the cluster. To be called once. */
  public void start() {
    arm();
  }

  /** What is being copied just now. */
  public List<NodeReply.Rebuild> rebuilds() {
    return copying.filter(now -> !now.over).flatMap(now -> now.progress).stream().toList();
  }

  /** What this agent cannot mend, though epochs came for it; empty if there is nothing. */
  public Optional<String> trouble() {
    return trouble;
  }

  /** Ends it; what it has begun ends when its transport is closed, or by itself. */
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
      arm(); // the cluster is still being made
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

  /** Never waits for a change: what another server's failure needs must not wait for it either. */
  private void look(Layout layout) {
    ClusterHealth clusterHealth = confirmation.of(observers.ask(layout), now());
    Finding finding = watch.look(clusterHealth, now());
    if (closed || !clusterHealth.hasMajority() || confirmation.hasDoubts()) {
      return;
    }
    healer.silent(clusterHealth.silent());
    if (changing) {
      return; // what the change uses is its own until it ends
    }
    healing.saw(finding, now());
    trouble = healing.trouble();
    if (turns.isOurs(finding, now())) {
      act(layout, finding);
    }
  }

  private void act(Layout layout, Finding finding) {
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

  private void heal(Finding finding) {
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

  /** On a thread of its own. */
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

  /** What was copied takes effect; if it can't, whoever looks at it again finds it copied. */
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
          "the segment from {} on has got what it was copied for, in epoch {}",
          ended.segment,
          next.epoch());
      rebuilding.helped();
    } catch (CorfuException | TransportException obstacle) {
      rebuilding.wasInVain(ended.segment, now());
      if (!closed) {
        LOG.warn(
            "cannot use what was copied from {} on yet: {}", ended.segment, obstacle.getMessage());
      }
    }
  }

  /** Milliseconds since this agent was made. */
  private long now() {
    return world.millisSince(startNanos);
  }
}
