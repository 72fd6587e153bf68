package corfu.bench.baseline;

import corfu.bench.harness.Finding;
import corfu.bench.harness.Limit;
import corfu.bench.harness.Measured;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What one small round trip and one small sync take on this machine, measured again and again
 * during a run: from both follows what anything takes at best that needs so many of them.
 */
public final class MachineTimes implements AutoCloseable {

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int ENTRY_BYTES = 64;
  private static final double MILLI = 1e3;

  private final Limit echo;
  private final Limit sync;
  private final Measured echoes = new Measured();
  private final Measured syncs = new Measured();

  public MachineTimes(Limits limits) throws Exception {
    echo = limits.echo(FrameSizes.append(ENTRY_BYTES), 1);
    sync = limits.syncedWrites(FrameSizes.stored(ENTRY_BYTES), 1);
    new Measured().round(echo.workload(), SLICE_NANOS);
    new Measured().round(sync.workload(), SLICE_NANOS);
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
    for (Limit limit : List.of(echo, sync)) {
      limit.workload().close();
    }
  }
}
