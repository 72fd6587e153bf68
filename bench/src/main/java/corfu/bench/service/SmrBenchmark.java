package corfu.bench.service;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.InterleavedRounds;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.OpenLoop;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Workload;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.runtime.Corfu;
import corfu.smr.Command;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachine;
import corfu.smr.StateMachineReplica;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An increasing number of replicas of a state machine. Each submits 7,000 commands a second and
 * executes the commands of all (CORFU, figure 10). Seven commands of 512 B and their overhead share
 * an entry there. All replicas, and the servers, run on this machine.
 */
final class SmrBenchmark {

  private static final String PART = "smr";
  private static final double EACH_PER_SECOND = 7000;
  private static final int COMMAND_BYTES = 512;
  private static final int ENTRY_BYTES = 4096;
  private static final int COMMANDS_PER_ENTRY = 7;
  private static final int ENTRIES_IN_FLIGHT = 16;
  private static final int DEPTH = 256;
  private static final byte[] DONE = new byte[0];
  private static final double NANOS_A_SECOND = 1e9;

  private final ServicesSettings settings;
  private final BenchCluster cluster;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  SmrBenchmark(ServicesSettings settings, BenchCluster cluster, Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.results = results;
  }

  /** A state machine that counts commands and reads each of them. */
  private static final class Counter implements StateMachine {
    private long count;
    private long sum;

    @Override
    public byte[] apply(Command command) {
      count++;
      sum += command.body().getLong(0);
      return DONE;
    }

    @Override
    public Saved save() {
      long now = count;
      long then = sum;
      return out -> {
        out.writeLong(now);
        out.writeLong(then);
      };
    }

    @Override
    public void load(DataInput in) throws IOException {
      count = in.readLong();
      sum = in.readLong();
    }
  }

  private static final SmrOptions OPTIONS =
      SmrOptions.DEFAULT
          .withBatches(COMMANDS_PER_ENTRY, ENTRY_BYTES, ENTRIES_IN_FLIGHT)
          .withCheckpointEvery(0);

  void run() throws Exception {
    flood();
    for (int machines : settings.machines()) {
      offer(machines);
    }
    Benchmarks.show(
        curves.plot(
            "Replicas that submit %,.0f commands a second each".formatted(EACH_PER_SECOND),
            Plot.Across.SETTING,
            "replicas"),
        settings.plot(),
        results);
  }

  /** Measures one replica at its highest rate, beside appends of entries of the same size. */
  private void flood() throws Exception {
    var log = cluster.corfu().log();
    try (var replica =
        StateMachineReplica.open(cluster.corfu(), "bench flood", Counter::new, OPTIONS)) {
      List<Workload> racers =
          List.of(
              loop(DEPTH, () -> log.appendAsync(ByteBuffer.allocate(ENTRY_BYTES))),
              loop(
                  DEPTH * COMMANDS_PER_ENTRY,
                  () -> replica.submitAsync(ByteBuffer.allocate(COMMAND_BYTES))));
      List<Measurement> seen = InterleavedRounds.run(racers, settings.rounds(), settings.round());
      log.prefixTrim(replica.played());
      results.accept(
          new PartResult.Rate(
              PART,
              "a flood of commands at one replica, %d to an entry".formatted(COMMANDS_PER_ENTRY),
              "commands",
              seen.get(1).perSecond(),
              "as many in entries of 4 KiB appended to the log",
              seen.get(0).perSecond() * COMMANDS_PER_ENTRY));
    }
  }

  private static Workload loop(int depth, Supplier<CompletableFuture<?>> start) {
    return new ClosedLoop(
        1,
        depth,
        new ClosedLoop.Request() {
          @Override
          public void await() {
            start.get().join();
          }

          @Override
          public CompletableFuture<?> start() {
            return start.get();
          }
        });
  }

  private void offer(int machines) throws Exception {
    List<Corfu> clients = new ArrayList<>();
    List<StateMachineReplica<Counter>> replicas = new ArrayList<>();
    try {
      for (int i = 0; i < machines; i++) {
        clients.add(cluster.connect());
        String name = "bench of " + machines;
        replicas.add(StateMachineReplica.open(clients.get(i), name, Counter::new, OPTIONS));
      }
      var unused = submitAll(replicas); // warm up
      report(machines, submitAll(replicas));
    } finally {
      replicas.forEach(StateMachineReplica::close);
      clients.forEach(Corfu::close);
      cluster.corfu().log().prefixTrim(cluster.corfu().log().tail());
    }
  }

  /**
   * The observations of one number of replicas.
   *
   * @param submitted the submitted commands per second of all replicas
   * @param executed the executed commands per second of each replica, during the submissions
   */
  private record Seen(double submitted, List<Double> executed, double p99Millis) {}

  private Seen submitAll(List<StateMachineReplica<Counter>> replicas) throws Exception {
    long begin = cluster.world().nanoTime();
    List<Long> before = counts(replicas);
    try (var threads = Executors.newFixedThreadPool(replicas.size())) {
      List<Future<OpenLoop.Outcome>> running = new ArrayList<>();
      for (StateMachineReplica<Counter> replica : replicas) {
        var loop =
            new OpenLoop(
                cluster.world(), () -> replica.submitAsync(ByteBuffer.allocate(COMMAND_BYTES)));
        running.add(threads.submit(() -> loop.run(EACH_PER_SECOND, settings.round())));
      }
      double p99 = 0;
      long done = 0;
      for (Future<OpenLoop.Outcome> each : running) {
        p99 = Math.max(p99, each.get().millis(99));
        done += each.get().done();
      }
      double seconds = (cluster.world().nanoTime() - begin) / NANOS_A_SECOND;
      List<Long> after = counts(replicas);
      List<Double> executed = new ArrayList<>();
      for (int i = 0; i < replicas.size(); i++) {
        executed.add((after.get(i) - before.get(i)) / seconds);
      }
      return new Seen(done / seconds, executed, p99);
    }
  }

  private static List<Long> counts(List<StateMachineReplica<Counter>> replicas) {
    return replicas.stream().map(each -> each.readPlayed(machine -> machine.count)).toList();
  }

  private void report(int machines, Seen seen) {
    var rates = seen.executed().stream().mapToDouble(Double::doubleValue).summaryStatistics();
    double offered = machines * EACH_PER_SECOND;
    results.accept(
        new PartResult.Values(
            PART,
            "%d replicas".formatted(machines),
            List.of(
                new PartResult.Value("replicas", machines),
                new PartResult.Value("offeredPerSecond", offered),
                new PartResult.Value("submittedPerSecond", seen.submitted()),
                new PartResult.Value("executedPerSecond", rates.getAverage()),
                new PartResult.Value("fewestPerSecond", rates.getMin()),
                new PartResult.Value("mostPerSecond", rates.getMax()),
                new PartResult.Value("ofOffered", rates.getAverage() / offered),
                new PartResult.Value("p99Millis", seen.p99Millis()))));
    curves.add("commands a second", "offered", machines, offered);
    curves.add("commands a second", "executed by each replica, mean", machines, rates.getAverage());
    curves.add("commands a second", "executed by the slowest replica", machines, rates.getMin());
    curves.add(
        "99th percentile of a submission, ms",
        "99th percentile of a submission, ms",
        machines,
        seen.p99Millis());
  }
}
