package corfu.node.access;

import corfu.access.gate.AccessGate;
import corfu.access.quota.QuotaTotal;
import corfu.access.quota.QuotaTotals;
import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.QuotaUse;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAccess;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Counts the storage that identities with a quota use. Every server counts its own entries in small
 * steps on its loop. The server of the sequencer asks all servers for their counts, on a thread of
 * its own, and adds them up for its gate. Does nothing while no quota limits storage. Thread-safe.
 */
final class UsageCollector {

  /** The time between the beginnings of two counts. */
  static final Duration INTERVAL = Duration.ofSeconds(2);

  /** The time between two steps of a count, which leaves the loop to requests. */
  private static final Duration STEP_INTERVAL = Duration.ofMillis(10);

  /** The number of entries that a step examines: a fraction of a millisecond. */
  private static final int STEP_ENTRIES = 2_000;

  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Endpoint self;
  private final World world;
  private final Loop loop;
  private final AccessGate gate;
  private final Supplier<Optional<Corfu>> client;

  private final ReentrantLock lock = new ReentrantLock();
  private World.Timer timer = () -> {};
  private boolean isStopped;

  /** The newest answers of servers. A silent server still holds what it has told. */
  private final Map<Endpoint, List<QuotaUse>> answers = new HashMap<>();

  /**
   * @param self the server's endpoint in layouts
   * @param gate the server's gate, which lives on the loop
   * @param client returns the server's own client, or empty if it has not reached the log yet
   */
  UsageCollector(
      Endpoint self, World world, Loop loop, AccessGate gate, Supplier<Optional<Corfu>> client) {
    this.self = self;
    this.world = world;
    this.loop = loop;
    this.gate = gate;
    this.client = client;
  }

  void start() {
    after(INTERVAL, this::begin);
  }

  /** Ends the counts. A running one ends by itself. */
  void stop() {
    lock.lock();
    try {
      isStopped = true;
      timer.cancel();
    } finally {
      lock.unlock();
    }
  }

  private void after(Duration pause, Runnable onLoop) {
    lock.lock();
    try {
      if (!isStopped) {
        timer = world.after(pause.toNanos(), () -> loop.execute(onLoop));
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return isStopped;
    } finally {
      lock.unlock();
    }
  }

  // -------------------------------------------------------------------------------- on the loop

  private void begin() {
    if (gate.quotas().limitsStorage()) {
      step();
    } else {
      after(INTERVAL, this::begin);
    }
  }

  private void step() {
    if (isStopped()) {
      return; // the log unit may be closed
    }
    if (gate.quotas().countSome(STEP_ENTRIES, gate::nameFor)) {
      after(STEP_INTERVAL, this::step);
    } else {
      world.start("corfu-usage", this::collect);
    }
  }

  // ------------------------------------------------------------------------- on their own thread

  private void collect() {
    try {
      Optional<Corfu> corfu = client.get();
      if (corfu.isPresent() && !isStopped()) {
        collect(corfu.get().streamAccess());
      }
    } catch (RuntimeException failed) {
      // the log cannot be reached: the sums stay as they are until the next collection
    }
    after(INTERVAL, this::begin);
  }

  private void collect(StreamAccess access) {
    List<Endpoint> sequencers = access.layout().sequencers();
    if (sequencers.isEmpty() || !sequencers.getFirst().equals(self)) {
      answers.clear();
      return;
    }
    answers.keySet().retainAll(access.layout().servers());
    QuotaTotals totals = new QuotaTotals();
    for (Endpoint server : access.layout().servers()) {
      ask(access, server).ifPresent(uses -> answers.put(server, uses));
      totals.add(answers.getOrDefault(server, List.of()));
    }
    List<QuotaTotal> all = totals.totals();
    loop.execute(() -> gate.quotas().uses(all));
  }

  private static Optional<List<QuotaUse>> ask(StreamAccess access, Endpoint server) {
    try {
      return access.ask(server, new NodeRequest.AskQuotas(), PATIENCE)
              instanceof NodeReply.Quotas(List<QuotaUse> uses)
          ? Optional.of(uses)
          : Optional.empty();
    } catch (RuntimeException silent) { // it does not run, or its version has no quotas
      return Optional.empty();
    }
  }
}
