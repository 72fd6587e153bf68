package corfu.bench.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.access.Grant;
import corfu.access.PolicyCommand;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.node.local.JavaCommand;
import corfu.protocol.Permission;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * The effect of a greedy tenant on another one, with and without a quota. The lone appends of one
 * tenant run alone, beside a flood without a quota, and beside the same flood with one. They take
 * turns in one run.
 */
public final class QuotaBenchmark {

  private static final String PART = "quota";
  private static final String POLITE = "polite";
  private static final String GREEDY = "greedy";
  private static final String LIMITED = "limited";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final QuotaBenchmarkSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private QuotaBenchmark(
      QuotaBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.results = results;
  }

  /**
   * Runs the benchmark with these settings.
   *
   * @param java starts the program whose {@code server} command runs a server
   * @param results receives each finding as soon as it is known
   */
  public static void measure(
      QuotaBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new QuotaBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    int replicas = settings.replicas();
    var shape =
        BenchCluster.Shape.of(replicas, replicas, settings.mode())
            .withTenants(List.of(POLITE, GREEDY, LIMITED));
    try (var cluster = BenchCluster.start(java, shape)) {
      permit(cluster.corfu());
      try (Corfu polite = cluster.connectAs(POLITE);
          Corfu greedy = cluster.connectAs(GREEDY);
          Corfu limited = cluster.connectAs(LIMITED)) {
        Workload lone = appends(polite, POLITE, settings.loneBytes(), 1);
        var unbounded =
            new Beside(lone, appends(greedy, GREEDY, settings.sizeBytes(), settings.depth()));
        var bounded =
            new Beside(lone, appends(limited, LIMITED, settings.sizeBytes(), settings.depth()));
        List<Workload> turns =
            List.of(
                new Trimmed(lone, cluster.corfu()),
                new Trimmed(unbounded, cluster.corfu()),
                new Trimmed(bounded, cluster.corfu()));
        List<Measurement> seen = InterleavedRounds.run(turns, settings.rounds(), settings.round());
        report(seen, unbounded, bounded);
      }
    }
  }

  private void permit(Corfu administrator) {
    AccessControl control = AccessControl.over(administrator, BenchCluster.ADMINISTRATOR);
    for (String tenant : List.of(POLITE, GREEDY, LIMITED)) {
      Subject subject = new Subject.Exact(BenchCluster.identityOf(tenant));
      var unused = control.grant(new Grant(subject, Permission.APPEND, new Target.Named(tenant)));
    }
    Quota quota =
        new Quota(
            Quota.NO_LIMIT,
            settings.appendsPerSecond(),
            Quota.NO_LIMIT,
            Quota.NO_LIMIT,
            Quota.NO_LIMIT,
            Quota.NO_LIMIT);
    var unused =
        control.change(
            new PolicyCommand.SetQuota(new Subject.Exact(BenchCluster.identityOf(LIMITED)), quota));
    if (!control.awaitEnforced(PATIENCE).isEmpty()) {
      throw new IllegalStateException("the servers do not enforce the quota");
    }
  }

  private void report(List<Measurement> seen, Beside unbounded, Beside bounded) {
    String flood =
        "flood of %,d B, %d in flight, ".formatted(settings.sizeBytes(), settings.depth());
    results.accept(
        new PartResult.Rate(
            PART,
            flood + "with a quota",
            "appends",
            bounded.others().perSecond(),
            "the quota",
            settings.appendsPerSecond()));
    results.accept(
        new PartResult.Rate(
            PART,
            flood + "without a quota",
            "appends",
            unbounded.others().perSecond(),
            "the quota of the other flood",
            settings.appendsPerSecond()));
    String lone = "lone append of %,d B of another tenant, ".formatted(settings.loneBytes());
    Measurement alone = seen.get(0);
    OptionalDouble best = OptionalDouble.of(alone.millis(50));
    results.accept(alone.times(PART, lone + "alone", OptionalDouble.empty()));
    results.accept(seen.get(1).times(PART, lone + "beside the flood without a quota", best));
    results.accept(seen.get(2).times(PART, lone + "beside the flood with a quota", best));
  }

  private static Workload appends(Corfu corfu, String stream, int bytes, int depth) {
    LogStream to = Streams.over(corfu).open(stream);
    byte[] payload = "x".repeat(bytes).getBytes(UTF_8);
    return new ClosedLoop(
        1,
        depth,
        new ClosedLoop.Request() {
          @Override
          public void await() {
            to.append(payload);
          }

          @Override
          public CompletableFuture<?> start() {
            return to.appendAsync(ByteBuffer.wrap(payload));
          }
        });
  }

  /** A workload beside another one, which is measured by itself. */
  private record Beside(Workload measured, Workload other, Measurement others) implements Workload {

    Beside(Workload measured, Workload other) {
      this(measured, other, new Measurement());
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      try (var threads = Executors.newSingleThreadExecutor()) {
        Future<?> running =
            threads.submit(
                () -> {
                  others.round(other, nanos);
                  return others;
                });
        long count = measured.run(nanos, latencies);
        running.get();
        return count;
      }
    }
  }

  /** Trims all entries between rounds. Otherwise a long run would fill disk and memory. */
  private record Trimmed(Workload workload, Corfu administrator) implements Workload {

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      return workload.run(nanos, latencies);
    }

    @Override
    public void rest() {
      administrator.log().prefixTrim(administrator.log().tail());
    }
  }
}
