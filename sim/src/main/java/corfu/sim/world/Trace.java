package corfu.sim.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The trace of a run. Its hash covers every message, fault and outcome: so two runs with the same
 * hash were the same run. Lines for people are only made on request.
 */
public final class Trace {

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Timeline timeline;
  private final Consumer<String> sink;
  private final int kept;
  private final ArrayDeque<String> last = new ArrayDeque<>();
  private long hash;

  /**
   * @param kept the number of last lines to keep; 0 for none
   * @param sink receives each line as it is made
   */
  public Trace(Timeline timeline, int kept, Consumer<String> sink) {
    this.timeline = timeline;
    this.kept = kept;
    this.sink = sink;
  }

  /** Adds an event to the hash; another run of the same seed must repeat it. */
  public void mark(long what) {
    hash = (Long.rotateLeft(hash, 23) ^ what ^ timeline.nowNanos()) * MULTIPLIER;
  }

  /** Adds a line for people to read. */
  public void say(String who, Supplier<String> what) {
    if (kept > 0) {
      long micros = timeline.nowNanos() / 1_000;
      String line =
          "%4d.%06d %-8s %s".formatted(micros / 1_000_000, micros % 1_000_000, who, what.get());
      sink.accept(line);
      last.addLast(line);
      if (last.size() > kept) {
        last.removeFirst();
      }
    }
  }

  public long hash() {
    return hash ^ hash >>> 32;
  }

  public List<String> lastLines() {
    return new ArrayList<>(last);
  }
}
