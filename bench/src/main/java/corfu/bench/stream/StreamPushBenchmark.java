package corfu.bench.stream;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.MachineLimit;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * The time until a subscriber receives an entry: from the beginning of a lone append by one client
 * to the call of another client's subscriber.
 */
final class StreamPushBenchmark {

  private static final String PART = "push";
  private static final int PAYLOAD_BYTES = StreamAppendBenchmark.PAYLOAD_BYTES;
  private static final long FAMILY = 61;
  private static final double MICRO = 1e3;

  private final StreamsSettings settings;
  private final BenchCluster one;
  private final BenchCluster two;
  private final MachineLimits limits;
  private final Consumer<PartResult> results;

  /**
   * @param one a cluster with one replica
   * @param two a cluster with two replicas
   */
  StreamPushBenchmark(
      StreamsSettings settings,
      BenchCluster one,
      BenchCluster two,
      MachineLimits limits,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.one = one;
    this.two = two;
    this.limits = limits;
    this.results = results;
  }

  void run() throws Exception {
    List<String> names = new ArrayList<>();
    List<Workload> racers = new ArrayList<>();
    try {
      for (BenchCluster cluster : List.of(one, two)) { // the acknowledgement to the appender
        names.add("append to acknowledgement, " + replicas(cluster));
        LogStream alone = Streams.over(cluster.corfu()).open(new StreamId(FAMILY, 0));
        racers.add(new ClosedLoop(1, 1, new Append(alone)));
      }
      for (int subscriptions : List.of(1, settings.subscriptions())) {
        for (BenchCluster cluster : List.of(one, two)) {
          names.add(
              "append to delivery, %s, %,d %s"
                  .formatted(
                      replicas(cluster),
                      subscriptions,
                      subscriptions == 1 ? "subscription" : "subscriptions"));
          racers.add(new Delivery(cluster, subscriptions));
        }
      }
      MachineLimit echo = limits.echo(FrameSizes.append(PAYLOAD_BYTES, 1), 1);
      racers.add(echo.workload());
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      var best = OptionalDouble.of(seen.getLast().micros(50) / MICRO);
      for (int i = 0; i < names.size(); i++) {
        results.accept(seen.get(i).times(PART, names.get(i), best));
      }
      results.accept(seen.getLast().times(echo.name()));
    } finally {
      racers.forEach(Workload::close);
    }
  }

  private String replicas(BenchCluster cluster) {
    return cluster == one ? "1 replica" : "2 replicas";
  }

  private record Append(LogStream stream) implements ClosedLoop.Request {
    @Override
    public void await() {
      stream.append(ByteBuffer.allocate(PAYLOAD_BYTES));
    }

    @Override
    public CompletableFuture<?> start() {
      return stream.appendAsync(ByteBuffer.allocate(PAYLOAD_BYTES));
    }
  }

  /** One client appends to streams in turn. The other one is subscribed to all of them. */
  private static final class Delivery implements Workload {
    private final Corfu appender;
    private final Corfu subscriber;
    private final List<LogStream> streams = new ArrayList<>();
    private final BlockingQueue<Long> deliveredNanos = new ArrayBlockingQueue<>(1);
    private int turn;

    Delivery(BenchCluster cluster, int subscriptions) {
      appender = cluster.connect();
      subscriber = cluster.connect();
      Streams theirs = Streams.over(subscriber);
      Streams ours = Streams.over(appender);
      for (int i = 0; i < subscriptions; i++) {
        StreamId id = new StreamId(FAMILY, ((long) subscriptions << 32) + i);
        streams.add(ours.open(id));
        theirs
            .open(id)
            .subscribe(StreamAddress.ZERO, entry -> deliveredNanos.add(System.nanoTime()));
      }
    }

    @Override
    public long run(long nanos, Recorder latencies) throws InterruptedException {
      long until = System.nanoTime() + nanos;
      long count = 0;
      for (long begun = System.nanoTime(); begun < until; begun = System.nanoTime()) {
        LogStream next = streams.get(turn++ % streams.size());
        next.append(ByteBuffer.allocate(PAYLOAD_BYTES));
        latencies.recordValue(deliveredNanos.take() - begun);
        count++;
      }
      return count;
    }

    @Override
    public void close() {
      subscriber.close();
      appender.close();
    }
  }
}
