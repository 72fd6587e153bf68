package corfu.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Compares a workload with the machine's limits, in turns. */
public final class LimitComparison {

  /** An odd number, so that one round is the median. */
  private static final int ROUNDS = 5;

  /** The limits get this part of our time: they are simple and vary little. */
  private static final int LIMIT_SHARE = 3;

  private final BenchSettings settings;
  private final Supplier<Duration> serverCpu;

  /**
   * @param serverCpu returns the processor time of all servers so far
   */
  public LimitComparison(BenchSettings settings, Supplier<Duration> serverCpu) {
    this.settings = settings;
    this.serverCpu = serverCpu;
  }

  /** Runs the workload and the limits. Closes the limits, but not the workload. */
  public Figure run(Scenario scenario, Workload ours, List<MachineLimit> limits) throws Exception {
    var own = new Measurement();
    var best = limits.stream().map(limit -> new Measurement()).toList();
    var clientCpu = Duration.ZERO;
    var serversCpu = Duration.ZERO;
    try {
      new Measurement().round(ours, settings.warmup().toNanos());
      ours.rest();
      long slice = settings.duration().toNanos() / ROUNDS;
      for (int round = 0; round < ROUNDS; round++) {
        Duration clientBefore = ownCpu();
        Duration serversBefore = serverCpu.get();
        own.round(ours, slice);
        clientCpu = clientCpu.plus(ownCpu()).minus(clientBefore);
        serversCpu = serversCpu.plus(serverCpu.get()).minus(serversBefore);
        ours.rest();
        for (int i = 0; i < limits.size(); i++) {
          best.get(i).round(limits.get(i).workload(), slice / LIMIT_SHARE);
        }
      }
    } finally {
      limits.forEach(limit -> limit.workload().close());
    }
    return figure(scenario, own, limits, best).withCpu(clientCpu, serversCpu);
  }

  private static Figure figure(
      Scenario scenario, Measurement own, List<MachineLimit> limits, List<Measurement> best) {
    var reached = new ArrayList<Figure.Reached>();
    for (int i = 0; i < limits.size(); i++) {
      reached.add(
          new Figure.Reached(
              limits.get(i).name(), best.get(i).perSecond(), best.get(i).micros(50)));
    }
    return new Figure(
        scenario,
        own.perSecond(),
        own.micros(50),
        own.micros(99),
        own.micros(99.9),
        reached,
        Duration.ZERO,
        Duration.ZERO);
  }

  private static Duration ownCpu() {
    return cpuOf(ProcessHandle.current());
  }

  /** Returns the processor time of a process, as far as the system reports it. */
  public static Duration cpuOf(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
