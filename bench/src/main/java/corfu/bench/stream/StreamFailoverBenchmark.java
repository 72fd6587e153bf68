package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.OperationTimeline;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Repeater;
import corfu.bench.harness.Samples;
import corfu.protocol.layout.Layout;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.reconfiguration.Stages.Stage;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A sequencer without state begins to serve while many streams exist, as after each failure of a
 * sequencer. The result is the time until it issues a token in a stream again.
 */
final class StreamFailoverBenchmark {

  private static final String PART = "failover";
  private static final long FAMILY = 59L << 32;
  private static final int MANY = 1000;
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final StreamsSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final StreamLoad load;

  StreamFailoverBenchmark(
      StreamsSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
    this.load =
        new StreamLoad(cluster, FAMILY, settings.live(), StreamAppendBenchmark.PAYLOAD_BYTES);
  }

  void run() throws Exception {
    load.append(1); // by ordinary appends, as in applications
    Samples first = new Samples();
    Samples many = new Samples();
    Samples whole = new Samples();
    try (Transport transport = cluster.openTransport()) {
      var plain = new Reconfiguration(cluster.world(), transport, REQUEST_TIMEOUT, TIMEOUT);
      new Failover(plain).run(new Samples(), new Samples(), new Samples()); // warm up
      for (int i = 0; i < settings.failovers(); i++) {
        new Failover(plain).run(first, many, whole);
      }
    }
    String where = "%,d streams: ".formatted(load.count());
    results.accept(whole.times(PART, where + "the whole, from seal to first append"));
    results.accept(first.times(PART, where + "decision to first append in one"));
    results.accept(
        many.times(PART, where + "then first appends in %,d others".formatted(manyOf())));
  }

  private int manyOf() {
    return Math.min(MANY, load.count());
  }

  private final class Failover {

    private final Map<Stage, Long> reached = new EnumMap<>(Stage.class);
    private final Reconfiguration reconfiguration;

    private Failover(Reconfiguration plain) {
      this.reconfiguration = plain.withStages(stage -> reached.put(stage, System.nanoTime()));
    }

    /** Renews the layout while a client always appends, each time to another stream. */
    private void run(Samples first, Samples many, Samples whole) throws Exception {
      OperationTimeline appends;
      long begin;
      try (var appender = Repeater.start("appender", this::append)) {
        cluster.world().pause(PAUSE);
        begin = System.nanoTime();
        Layout unused = reconfiguration.renew(cluster.corfu().layout());
        cluster.world().pause(PAUSE);
        appends = appender.stop();
      }
      Long decided = reached.get(Stage.DECIDED);
      if (decided == null) {
        throw new IllegalStateException("the reconfiguration has decided nothing");
      }
      long appended = appends.firstEndAfter(decided);
      first.add(appended - decided);
      whole.add(appended - begin);
      long at = System.nanoTime();
      appendToMany();
      many.add(System.nanoTime() - at);
    }

    private void append() {
      load.appendTo(anyStream());
    }

    private int anyStream() {
      return cluster.world().random().nextInt(load.count());
    }

    private void appendToMany() {
      int from = anyStream();
      List<CompletableFuture<?>> sent = new ArrayList<>();
      for (int i = 0; i < manyOf(); i++) {
        sent.add(load.appendAsyncTo((from + i) % load.count()));
      }
      sent.forEach(CompletableFuture::join);
    }
  }
}
