package corfu.bench.log;

import corfu.bench.handshake.HandshakeFloodBenchmark;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.node.local.JavaCommand;
import corfu.protocol.Permission;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * The price of TLS and of permissions: a flood of appends, and lone appends, to one cluster without
 * TLS, to one with mutual TLS, and to one that also enforces permissions. They take turns in one
 * run. The cluster without TLS is the limit of the one with TLS, which is that of the third one.
 */
public final class TlsBenchmark {

  private static final String PART = "appends";
  private static final String TENANT = "tenant";
  private static final String PERMISSIONS = "permissions";

  private final TlsBenchmarkSettings settings;
  private final JavaCommand java;
  private final Consumer<PartResult> results;

  private TlsBenchmark(
      TlsBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
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
      TlsBenchmarkSettings settings, JavaCommand java, Consumer<PartResult> results) {
    Benchmarks.run(new TlsBenchmark(settings, java, results)::run);
  }

  private void run() throws Exception {
    var shape = BenchCluster.Shape.of(settings.replicas(), settings.replicas(), settings.mode());
    if (settings.parts().contains(TlsBenchmarkSettings.Part.APPENDS)) {
      appends(shape);
    }
    if (settings.parts().contains(TlsBenchmarkSettings.Part.PERMISSIONS)) {
      permissions(shape);
    }
    if (settings.parts().contains(TlsBenchmarkSettings.Part.HANDSHAKES)) {
      handshakes(shape);
    }
  }

  private void appends(BenchCluster.Shape shape) throws Exception {
    try (var plain = BenchCluster.start(java, shape);
        var secure = BenchCluster.start(java, shape.withTls())) {
      List<Workload> racers =
          List.of(
              new Appends(plain.corfu().log(), settings.sizeBytes(), settings.depth()),
              new Appends(secure.corfu().log(), settings.sizeBytes(), settings.depth()),
              new Appends(plain.corfu().log(), settings.loneBytes(), 1),
              new Appends(secure.corfu().log(), settings.loneBytes(), 1));
      report(InterleavedRounds.run(racers, settings.rounds(), settings.round()));
    }
  }

  private void permissions(BenchCluster.Shape shape) throws Exception {
    try (var secure = BenchCluster.start(java, shape.withTls());
        var guarded = BenchCluster.start(java, shape.withTenants(List.of(TENANT)))) {
      guarded.grant(TENANT, Permission.APPEND_LOG);
      permissions(secure, guarded);
    }
  }

  private void permissions(BenchCluster secure, BenchCluster guarded) throws Exception {
    try (var client = secure.connect();
        var tenant = guarded.connectAs(TENANT)) {
      Log trimmed = secure.corfu().log();
      Log guardedTrimmed = guarded.corfu().log(); // only an operator may trim
      int bytes = settings.loneBytes();
      List<Workload> racers =
          List.of(
              new Appends(client.log(), trimmed, bytes, settings.depth()),
              new Appends(tenant.log(), guardedTrimmed, bytes, settings.depth()),
              new Appends(client.log(), trimmed, bytes, 1),
              new Appends(tenant.log(), guardedTrimmed, bytes, 1));
      reportPermissions(InterleavedRounds.run(racers, settings.rounds(), settings.round()));
    }
  }

  private void handshakes(BenchCluster.Shape shape) throws Exception {
    try (var secure = BenchCluster.start(java, shape.withTls())) {
      HandshakeFloodBenchmark.run(
          java,
          secure,
          new Appends(secure.corfu().log(), settings.loneBytes(), 1),
          new HandshakeFloodBenchmark.Settings(
              settings.handshakesPerSecond(), settings.rounds(), settings.round()),
          results);
    }
  }

  private void report(List<Measurement> seen) {
    String flood =
        "flood of %,d B, %d in flight, ".formatted(settings.sizeBytes(), settings.depth());
    double open = seen.get(0).perSecond();
    results.accept(
        new PartResult.Rate(
            PART, flood + "with TLS", "appends", seen.get(1).perSecond(), "without TLS", open));
    String lone = "lone append of %,d B, ".formatted(settings.loneBytes());
    Measurement without = seen.get(2);
    results.accept(without.times(PART, lone + "without TLS", OptionalDouble.empty()));
    results.accept(
        seen.get(3).times(PART, lone + "with TLS", OptionalDouble.of(without.millis(50))));
    results.accept(
        new PartResult.Values(
            PART,
            "price of TLS",
            List.of(
                new PartResult.Value("floodRatio", seen.get(1).perSecond() / open),
                new PartResult.Value("addedMicros", seen.get(3).micros(50) - without.micros(50)))));
  }

  private void reportPermissions(List<Measurement> seen) {
    String flood =
        "flood of %,d B, %d in flight, ".formatted(settings.loneBytes(), settings.depth());
    double known = seen.get(0).perSecond();
    double guarded = seen.get(1).perSecond();
    results.accept(
        new PartResult.Rate(
            PERMISSIONS,
            flood + "with TLS and permissions",
            "appends",
            guarded,
            "with TLS alone",
            known));
    String lone = "lone append of %,d B, ".formatted(settings.loneBytes());
    Measurement without = seen.get(2);
    results.accept(without.times(PERMISSIONS, lone + "with TLS alone", OptionalDouble.empty()));
    results.accept(
        seen.get(3)
            .times(
                PERMISSIONS,
                lone + "with TLS and permissions",
                OptionalDouble.of(without.millis(50))));
    results.accept(
        new PartResult.Values(
            PERMISSIONS,
            "price of permissions",
            List.of(
                new PartResult.Value("floodRatio", guarded / known),
                new PartResult.Value("addedMicros", seen.get(3).micros(50) - without.micros(50)))));
  }

  /** Trims its entries between rounds. Otherwise a long run would fill disk and memory. */
  private record Appends(Log trimmed, ClosedLoop loop) implements Workload {

    Appends(Log log, int bytes, int depth) {
      this(log, log, bytes, depth);
    }

    Appends(Log log, Log trimmed, int bytes, int depth) {
      this(trimmed, new ClosedLoop(1, depth, request(log, new byte[bytes])));
    }

    private static ClosedLoop.Request request(Log log, byte[] payload) {
      return new ClosedLoop.Request() {
        @Override
        public void await() {
          log.append(payload);
        }

        @Override
        public CompletableFuture<?> start() {
          return log.appendAsync(ByteBuffer.wrap(payload));
        }
      };
    }

    @Override
    public long run(long nanos, Recorder latencies) throws Exception {
      return loop.run(nanos, latencies);
    }

    @Override
    public void rest() {
      trimmed.prefixTrim(trimmed.tail());
    }
  }
}
