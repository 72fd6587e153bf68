package corfu.bench.reconfigure;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.OperationTimeline;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Repeater;
import corfu.bench.harness.Samples;
import corfu.protocol.layout.Layout;
import corfu.runtime.Log;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.reconfiguration.Stages.Stage;
import corfu.transport.Transport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The time of each step of a reconfiguration that changes only the epoch. Also the time until the
 * first append of the new epoch, without load and beside an appending client.
 */
final class StagesBenchmark {

  private static final String PART = "stages";
  private static final int PAYLOAD_BYTES = 256;
  private static final int MOST_WARM_UP = 30;
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The pause between two reconfigurations, so that appends run at their normal rate again. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final int ROUNDS_PER_LOOK = 10;

  private final ReconfigureSettings settings;
  private final BenchCluster cluster;
  private final BaselineLatencies machine;
  private final Consumer<PartResult> results;
  private final byte[] payload = new byte[PAYLOAD_BYTES];

  StagesBenchmark(
      ReconfigureSettings settings,
      BenchCluster cluster,
      BaselineLatencies machine,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.machine = machine;
    this.results = results;
  }

  void run() throws Exception {
    try (Transport transport = cluster.openTransport()) {
      var plain = new Reconfiguration(cluster.world(), transport, REQUEST_TIMEOUT, TIMEOUT);
      Rounds warmUp = new Rounds(plain);
      int rounds = Math.min(MOST_WARM_UP, 2 * settings.rounds());
      warmUp.idle(rounds);
      warmUp.busy(rounds);
      Rounds idle = new Rounds(plain);
      idle.idle(settings.rounds());
      Rounds busy = new Rounds(plain);
      busy.busy(settings.rounds());
      idle.report("idle");
      busy.report("appending");
    }
  }

  /** Reconfigurations under the same load. */
  private final class Rounds {

    private final Map<Stage, Samples> steps = new EnumMap<>(Stage.class);
    private final Map<Stage, Long> reached = new EnumMap<>(Stage.class);
    private final Samples firstAppends = new Samples();
    private final Samples decisionToAppend = new Samples();
    private final Samples whole = new Samples();
    private final Reconfiguration reconfiguration;
    private Layout layout = cluster.corfu().layout();

    Rounds(Reconfiguration plain) {
      this.reconfiguration = plain.withStages(stage -> reached.put(stage, System.nanoTime()));
    }

    /** Runs rounds without load. The first append begins when all servers know the new layout. */
    void idle(int rounds) throws Exception {
      Log log = cluster.corfu().log();
      for (int i = 0; i < rounds; i++) {
        lookAtTheMachine(i);
        long begin = renew();
        log.append(payload);
        take(begin, System.nanoTime());
        cluster.world().pause(PAUSE);
      }
    }

    /**
     * Runs rounds with load. The first append is the first that ends after the decision: it had to
     * wait.
     */
    void busy(int rounds) throws Exception {
      Log log = cluster.corfu().log();
      for (int i = 0; i < rounds; i++) {
        lookAtTheMachine(i);
        OperationTimeline appends;
        long begin;
        try (var appender = Repeater.start("appender", () -> log.append(payload))) {
          cluster.world().pause(PAUSE);
          begin = renew();
          cluster.world().pause(PAUSE);
          appends = appender.stop();
        }
        take(begin, appends.firstEndAfter(at(Stage.DECIDED)));
      }
    }

    private void lookAtTheMachine(int round) throws Exception {
      if (round % ROUNDS_PER_LOOK == 0) {
        machine.look();
      }
    }

    private long renew() {
      long begin = System.nanoTime();
      layout = reconfiguration.renew(layout);
      return begin;
    }

    private long at(Stage stage) {
      Long time = reached.get(stage);
      if (time == null) {
        throw new IllegalStateException("the reconfiguration has not come to " + stage);
      }
      return time;
    }

    private Samples step(Stage stage) {
      return steps.computeIfAbsent(stage, fresh -> new Samples());
    }

    private void take(long begin, long appended) {
      long last = begin;
      for (Stage stage : Stage.values()) {
        step(stage).add(at(stage) - last);
        last = at(stage);
      }
      firstAppends.add(Math.max(0, appended - at(Stage.STARTED)));
      decisionToAppend.add(appended - at(Stage.DECIDED));
      whole.add(appended - begin);
    }

    private void report(String load) {
      for (Stage stage : Stage.values()) {
        results.accept(step(stage).times(PART, load + ": " + nameOf(stage), atBest(stage)));
      }
      results.accept(firstAppends.times(PART, load + ": sequencer to first append"));
      results.accept(
          decisionToAppend.times(PART, load + ": decision to first append", machine.millis(4, 2)));
      results.accept(whole.times(PART, load + ": the whole", machine.millis(8, 5)));
    }
  }

  private static String nameOf(Stage stage) {
    return switch (stage) {
      case FOUND -> "find the layout";
      case SEALED -> "seal";
      case PREPARED -> "prepare";
      case DECIDED -> "accept";
      case STARTED -> "start the sequencer";
      case TOLD -> "tell the others";
    };
  }

  private OptionalDouble atBest(Stage stage) {
    return switch (stage) {
      case FOUND, STARTED -> machine.millis(1, 0);
      case SEALED, PREPARED, DECIDED, TOLD -> machine.millis(1, 1);
    };
  }
}
