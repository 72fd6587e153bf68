package corfu.bench.log;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Figure;
import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Scenario;
import corfu.bench.harness.Workload;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/** Appends of one size from many threads. */
public final class AppendBenchmark {

  private final BenchSettings settings;
  private final BenchCluster cluster;
  private final MachineLimits limits;
  private final Consumer<Figure> results;

  public AppendBenchmark(
      BenchSettings settings,
      BenchCluster cluster,
      MachineLimits limits,
      Consumer<Figure> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.limits = limits;
    this.results = results;
  }

  public void run() throws Exception {
    var contest = new LimitComparison(settings, cluster::cpu);
    Log log = cluster.corfu().log();
    for (int size : settings.sizes()) {
      settings.eachLoad(
          (clients, depth) -> {
            var scenario = settings.scenario("append", size, clients, depth);
            var ours = new Appends(log, size, clients, depth);
            results.accept(contest.run(scenario, ours, limitsFor(scenario)));
          });
    }
  }

  private List<MachineLimit> limitsFor(Scenario scenario) throws Exception {
    int entryBytes = FrameSizes.stored(scenario.sizeBytes());
    var fitting = new ArrayList<MachineLimit>();
    fitting.add(limits.echo(FrameSizes.append(scenario.sizeBytes()), scenario.inFlight()));
    switch (settings.mode()) {
      case DURABLE -> fitting.add(limits.syncedWrites(entryBytes, scenario.inFlight()));
      case BUFFERED -> fitting.add(limits.sequentialWrites(entryBytes));
      case MEMORY -> {}
    }
    return fitting;
  }

  /** Trims its entries between rounds. Otherwise a long run would fill disk and memory. */
  private static final class Appends implements Workload {

    private final Log log;
    private final ClosedLoop loop;

    private Appends(Log log, int size, int clients, int depth) {
      this.log = log;
      byte[] payload = new byte[size];
      for (int i = 0; i < size; i++) {
        payload[i] = (byte) (i * 31);
      }
      this.loop =
          new ClosedLoop(
              clients,
              depth,
              new ClosedLoop.Request() {
                @Override
                public void await() {
                  log.append(payload);
                }

                @Override
                public CompletableFuture<?> start() {
                  return log.appendAsync(ByteBuffer.wrap(payload));
                }
              });
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      return loop.run(nanos, latencies);
    }

    @Override
    public void rest() {
      log.prefixTrim(log.tail());
    }
  }
}
