package corfu.sim.world;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The shared parts of one run: time, trace, network and findings. */
public final class Simulator {

  public final Timeline timeline = new Timeline();
  public final SimRandom chance;
  public final Trace trace;
  public final Violations findings;
  public final SimNetwork network;

  /** How often rare events happened. */
  public final Map<String, Integer> reached = new TreeMap<>();

  public Simulator(long seed, int keptLines, Consumer<String> sink) {
    this.chance = new SimRandom(seed);
    this.trace = new Trace(timeline, keptLines, sink);
    this.findings = new Violations(trace);
    this.network = new SimNetwork(timeline, trace, chance.split(), findings);
  }

  /** Counts a rare event. */
  public void reached(String what) {
    reached.merge(what, 1, Integer::sum);
    trace.say("reached", () -> what);
  }

  /** Begins a new life of a process, with its own clock. */
  public SimWorld born(String process, int driftPerMille) {
    ProcessLife life = new ProcessLife(process, timeline, chance.split(), findings);
    int drift = (int) chance.between(-driftPerMille, driftPerMille);
    return new SimWorld(timeline, life, chance.split(), drift);
  }

  /**
   * Runs events until {@code done} holds. Returns empty then, or the reason if it stopped before: a
   * violation, the end of the time, too many events, or no more events.
   */
  public Optional<String> runUntil(BooleanSupplier done, long nanos, long events) {
    while (!done.getAsBoolean()) {
      if (!findings.isEmpty()) {
        return Optional.of("something is wrong");
      }
      if (timeline.nowNanos() > nanos) {
        return Optional.of("simulated time is up");
      }
      if (timeline.happened() > events) {
        return Optional.of("more than " + events + " events have happened");
      }
      if (!timeline.step()) {
        return Optional.of("nothing can happen any more");
      }
    }
    return Optional.empty();
  }
}
