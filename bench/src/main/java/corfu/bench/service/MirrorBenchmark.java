package corfu.bench.service;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.OpenLoop;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Samples;
import corfu.mirror.Mirror;
import corfu.mirror.MirrorOptions;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Log;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A mirror of a cluster. The results are its rate, beside appends of the same entries to the
 * source, and its delay at a steady rate of appends.
 */
final class MirrorBenchmark {

  private static final String PART = "mirror";
  private static final List<Integer> SIZES = List.of(256, 4096);
  private static final int DEPTH = 256;
  private static final Duration CHANGE = Duration.ofSeconds(10);
  private static final double STEADY_PER_SECOND = 1000;
  private static final MirrorOptions OPTIONS =
      MirrorOptions.DEFAULT.withForgetEvery(Duration.ofMillis(100)); // saves memory
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(1);
  private static final double MEBI = 1 << 20;

  private final ServicesSettings settings;
  private final BenchCluster source;
  private final BenchCluster target;
  private final Consumer<PartResult> results;

  MirrorBenchmark(
      ServicesSettings settings,
      BenchCluster source,
      BenchCluster target,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.source = source;
    this.target = target;
    this.results = results;
  }

  void run() throws Exception {
    CorfuOptions options = CorfuOptions.of(target.endpoints());
    try (Transport transport =
            TcpTransport.open(target.world(), options::cluster, ClientOptions.DEFAULT);
        Corfu into = Corfu.connect(options, target.world(), transport)) {
      var changes =
          new Reconfiguration(target.world(), transport, options.requestTimeout(), CHANGE);
      Mirror mirror = Mirror.open(source.corfu(), into, changes, OPTIONS);
      for (int size : SIZES) {
        copy(mirror, size);
      }
      lag(mirror, into.log());
    }
  }

  private void copy(Mirror mirror, int size) throws Exception {
    Measurement appends = new Measurement();
    Measurement copies = new Measurement();
    for (int i = 0; i <= settings.rounds(); i++) {
      boolean counts = i > 0; // the first round warms up
      (counts ? appends : new Measurement()).round((nanos, unused) -> append(size), 0);
      (counts ? copies : new Measurement()).round((nanos, unused) -> copyAll(mirror), 0);
      source.corfu().log().prefixTrim(source.corfu().log().tail());
    }
    results.accept(
        new PartResult.Rate(
            PART,
            "copying entries of %,d B (%.0f MiB/s)"
                .formatted(size, copies.perSecond() * size / MEBI),
            "entries",
            copies.perSecond(),
            "appending them to the source",
            appends.perSecond()));
  }

  private long append(int size) throws Exception {
    Log log = source.corfu().log();
    var room = new Semaphore(DEPTH);
    for (int i = 0; i < settings.entries(); i++) {
      room.acquire();
      var unused =
          log.appendAsync(ByteBuffer.allocate(size)).whenComplete((at, failure) -> room.release());
    }
    room.acquire(DEPTH);
    return settings.entries();
  }

  private static long copyAll(Mirror mirror) {
    long copied = 0;
    for (int step = mirror.step(); step > 0; step = mirror.step()) {
      copied += step;
    }
    return copied;
  }

  /** An appended entry and the time of its append. */
  private record Appended(Address address, long nanos) {}

  private void lag(Mirror mirror, Log mirrored) throws Exception {
    AtomicBoolean allIsAppended = new AtomicBoolean();
    AtomicBoolean over = new AtomicBoolean();
    Deque<Appended> waiting = new ArrayDeque<>();
    Samples lags = new Samples();
    try (var threads = Executors.newFixedThreadPool(2)) {
      Future<?> running = threads.submit(() -> mirror.run(() -> !over.get(), trouble -> {}));
      Future<?> watching =
          threads.submit(() -> watch(mirrored, waiting, lags, allIsAppended, over));
      var loop = new OpenLoop(source.world(), () -> appended(waiting));
      var outcome = loop.run(STEADY_PER_SECOND, settings.round().multipliedBy(settings.rounds()));
      allIsAppended.set(true);
      try {
        watching.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        over.set(true);
      }
      running.get();
      results.accept(
          lags.times(
              PART,
              "from acknowledged to mirrored, %.0f appends/s".formatted(outcome.donePerSecond())));
    }
  }

  private CompletableFuture<?> appended(Deque<Appended> waiting) {
    return source
        .corfu()
        .log()
        .appendAsync(ByteBuffer.allocate(SIZES.getFirst()))
        .thenAccept(
            at -> {
              synchronized (waiting) {
                waiting.add(new Appended(at, source.world().nanoTime()));
              }
            });
  }

  /** Asks the mirror for its progress, about every millisecond, until it has everything. */
  private void watch(
      Log mirrored,
      Deque<Appended> waiting,
      Samples lags,
      AtomicBoolean allIsAppended,
      AtomicBoolean over) {
    boolean goesOn = true;
    while (goesOn && !over.get()) {
      boolean isLast = allIsAppended.get();
      Address copied = mirrored.tail();
      long now = source.world().nanoTime();
      synchronized (waiting) {
        while (!waiting.isEmpty() && waiting.getFirst().address().compareTo(copied) < 0) {
          lags.add(Math.max(0, now - waiting.removeFirst().nanos()));
        }
        goesOn = !isLast || !waiting.isEmpty();
      }
      source.world().pause(LOOK);
    }
  }
}
