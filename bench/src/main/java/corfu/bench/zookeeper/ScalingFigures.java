package corfu.bench.zookeeper;

import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.Benchmarks;
import corfu.bench.harness.Measurement;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.model.EnsembleModel.Load;
import corfu.bench.model.ServerCosts;
import corfu.bench.model.TranslationModel;
import corfu.bench.model.ZabModel;
import corfu.bench.plot.Plot;
import corfu.bench.plot.PlotBuilder;
import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.node.local.JavaCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Figures 6.3 and 6.4 of the dissertation: throughput against the part of reads. Three servers are
 * measured as processes on this machine. A model of queues computes more servers, each on a machine
 * of its own. It computes three servers, too, as the base of the others.
 */
final class ScalingFigures {

  private static final double SIMULATED_SECONDS = 2;
  private static final double NANOS_A_MICRO = 1e3;

  /** The time of a byte on a network card of 1 Gbit/s, in nanoseconds. */
  private static final double NIC_BYTE_NANOS = 8;

  /** The servers of the ensemble that shows the leader's cost of more followers. */
  private static final int LARGER = 5;

  private final ZooKeeperSettings settings;
  private final JavaCommand java;
  private final MachineLimits limits;
  private final EnsembleRounds rounds;
  private final Consumer<PartResult> results;
  private final PlotBuilder curves = new PlotBuilder();

  ScalingFigures(
      ZooKeeperSettings settings,
      JavaCommand java,
      MachineLimits limits,
      EnsembleRounds rounds,
      Consumer<PartResult> results) {
    this.settings = settings;
    this.java = java;
    this.limits = limits;
    this.rounds = rounds;
    this.results = results;
  }

  void run() throws Exception {
    for (int percent : settings.readPercents()) {
      measured(percent);
    }
    if (!settings.simulated().isEmpty()) {
      simulated();
    }
    String title =
        "Requests a second, nodes of %,d B: 3 servers measured on one machine, others simulated"
            .formatted(settings.bytes());
    Plot plot = curves.plot(title, Plot.Across.SETTING, "reads, %");
    Benchmarks.show(plot, settings.plot(), results);
  }

  private void measured(int percent) throws Exception {
    var seen =
        rounds.compare(
            (ensemble, time) ->
                new EnsembleOrder.Mix(
                    ensemble,
                    settings.clients(),
                    settings.depth(),
                    percent,
                    settings.bytes(),
                    EnsembleOrder.ALL_SERVERS,
                    time));
    List<Value> values = new ArrayList<>();
    values.add(new Value("readPercent", percent));
    values.addAll(RoundMedians.beside(seen, "PerSecond", "ratio", RoundMedians::perSecond));
    String what = "%d %% reads, %d servers".formatted(percent, ZooKeeperSettings.SERVERS);
    results.accept(new PartResult.Values("measured", what, values));
    seen.forEach(
        (name, medians) ->
            curves.add(
                panel(name),
                "%d servers, measured".formatted(ZooKeeperSettings.SERVERS),
                percent,
                medians.perSecond()));
  }

  private static String panel(String system) {
    return "requests a second, " + system;
  }

  private void simulated() throws Exception {
    double sync = syncNanos();
    var costs = new CostMeasurement(settings, rounds, sync, NIC_BYTE_NANOS);
    var pair = rounds.pair();
    if (pair.corfu().isPresent()) {
      CostMeasurement.OfTranslation ours = costs.of(pair.corfu().get());
      report(CorfuEnsemble.NAME, ours.server(), units(ours.units()));
      simulate(
          CorfuEnsemble.NAME,
          load -> TranslationModel.perSecond(ours.server(), ours.units(), load, SIMULATED_SECONDS));
    }
    if (pair.real().isPresent()) {
      CostMeasurement.OfZab real = costsOfZab(costs, pair.real().get());
      report(
          RealEnsemble.NAME,
          real.follower(),
          List.of(new Value("lead", real.lead()), new Value("leadEach", real.leadEach())));
      simulate(
          RealEnsemble.NAME,
          load ->
              ZabModel.perSecond(
                  real.follower(), real.lead(), real.leadEach(), load, SIMULATED_SECONDS));
    }
  }

  private CostMeasurement.OfZab costsOfZab(CostMeasurement costs, RealEnsemble real)
      throws Exception {
    try (var larger = RealEnsemble.start(java, LARGER, ZooKeeperSettings.HEAP_MIB, "larger")) {
      rounds.open(larger);
      CostMeasurement.OfZab measured = costs.of(real, larger);
      rounds.close(larger);
      return measured;
    }
  }

  private double syncNanos() throws Exception {
    try (var workload = limits.syncedWrites(settings.bytes(), 1).workload()) {
      Measurement measured = new Measurement();
      measured.round(workload, settings.round().toNanos());
      return NANOS_A_MICRO * measured.micros(50);
    }
  }

  private static List<Value> units(List<Double> nanos) {
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < nanos.size(); i++) {
      values.add(new Value("logServer" + (i + 1), nanos.get(i)));
    }
    return values;
  }

  private void report(String system, ServerCosts server, List<Value> others) {
    List<Value> values =
        new ArrayList<>(
            List.of(
                new Value("read", server.read()),
                new Value("handle", server.handle()),
                new Value("apply", server.apply()),
                new Value("sync", server.sync()),
                new Value("nicByte", server.nicByte()),
                new Value("wire", server.wire())));
    values.addAll(others);
    String what = system + ", nanoseconds; the network's are given";
    results.accept(new PartResult.Values("costs", what, values));
  }

  private void simulate(String system, ToDoubleFunction<Load> model) {
    int inFlight = Math.max(1, settings.clients() * settings.depth() / ZooKeeperSettings.SERVERS);
    for (int percent : settings.readPercents()) {
      double base =
          model.applyAsDouble(
              new Load(ZooKeeperSettings.SERVERS, inFlight, percent, settings.bytes()));
      show(system, percent, ZooKeeperSettings.SERVERS, base, 1);
      for (int servers : settings.simulated()) {
        double rate = model.applyAsDouble(new Load(servers, inFlight, percent, settings.bytes()));
        double each = Math.pow(rate / base, 1.0 / (servers - ZooKeeperSettings.SERVERS));
        show(system, percent, servers, rate, each);
      }
    }
  }

  private void show(String system, int percent, int servers, double rate, double each) {
    results.accept(
        new PartResult.Values(
            "simulated",
            "%s, %d %% reads, %d servers on machines of their own, simulated"
                .formatted(system, percent, servers),
            List.of(
                new Value("readPercent", percent),
                new Value("servers", servers),
                new Value("perSecond", rate),
                new Value("ofOneServerFewer", each))));
    curves.add(panel(system), "%d servers, simulated".formatted(servers), percent, rate);
  }
}
