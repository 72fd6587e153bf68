package corfu.bench.baseline;

import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The latency of a small round trip and of a small sync on this machine, measured repeatedly during
 * a run. From both follows the least time of any operation that needs a number of them.
 */
public final class BaselineLatencies implements AutoCloseable {

  private static final Duration LONGEST_SLICE = Duration.ofMillis(200);
  private static final int ENTRY_BYTES = 64;
  private static final double MILLI = 1e3;

  private final long sliceNanos;
  private final MachineLimit echo;
  private final MachineLimit sync;
  private final Measurement echoes = new Measurement();
  private final Measurement syncs = new Measurement();

  /**
   * @param round the length of a turn of the benchmark; each measurement is at most as long
   */
  public BaselineLatencies(MachineLimits limits, Duration round) throws Exception {
    sliceNanos = Math.min(round.toNanos(), LONGEST_SLICE.toNanos());
    echo = limits.echo(FrameSizes.append(ENTRY_BYTES), 1);
    sync = limits.syncedWrites(FrameSizes.stored(ENTRY_BYTES), 1);
    new Measurement().round(echo.workload(), sliceNanos);
    new Measurement().round(sync.workload(), sliceNanos);
  }

  /** Measures both for a moment. */
  public void look() throws Exception {
    echoes.round(echo.workload(), sliceNanos);
    syncs.round(sync.workload(), sliceNanos);
  }

  /** Returns the time of this many round trips and syncs, one after the other, in milliseconds. */
  public OptionalDouble millis(int roundTrips, int syncCount) {
    return OptionalDouble.of(
        (roundTrips * echoes.micros(50) + syncCount * syncs.micros(50)) / MILLI);
  }

  public void report(Consumer<PartResult> results) {
    results.accept(echoes.times(echo.name()));
    results.accept(syncs.times(sync.name()));
  }

  @Override
  public void close() {
    for (MachineLimit limit : List.of(echo, sync)) {
      limit.workload().close();
    }
  }
}
