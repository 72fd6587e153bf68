package corfu.bench.baseline;

import corfu.bench.harness.Finding;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What one small round trip and one small sync take on this machine, measured again and again
 * during a run: from both follows what anything takes at best that needs so many of them.
 */
public final class BaselineLatencies implements AutoCloseable {

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int ENTRY_BYTES = 64;
  private static final double MILLI = 1e3;

  private final MachineLimit echo;
  private final MachineLimit sync;
  private final Measurement echoes = new Measurement();
  private final Measurement syncs = new Measurement();

  public BaselineLatencies(MachineLimits limits) throws Exception {
    echo = limits.echo(FrameSizes.append(ENTRY_BYTES), 1);
    sync = limits.syncedWrites(FrameSizes.stored(ENTRY_BYTES), 1);
    new Measurement().round(echo.workload(), SLICE_NANOS);
    new Measurement().round(sync.workload(), SLICE_NANOS);
  }

  /** Measures both for a moment. */
  public void look() throws Exception {
    echoes.round(echo.workload(), SLICE_NANOS);
    syncs.round(sync.workload(), SLICE_NANOS);
  }

  /** Of so many round trips and syncs, one behind the other. */
  public OptionalDouble millis(int roundTrips, int syncCount) {
    return OptionalDouble.of(
        (roundTrips * echoes.micros(50) + syncCount * syncs.micros(50)) / MILLI);
  }

  public void report(Consumer<Finding> results) {
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
