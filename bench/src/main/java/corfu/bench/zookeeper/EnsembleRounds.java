package corfu.bench.zookeeper;

import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.bench.zookeeper.load.LoadOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Has the compared ensembles carry out the same order in turns. They begin alternately. */
final class EnsembleRounds {

  /** The length of a warm-up, in rounds. */
  private static final int WARMUP = 2;

  private final ZooKeeperSettings settings;
  private final LoadClient load;
  private final EnsemblePair pair;

  EnsembleRounds(ZooKeeperSettings settings, LoadClient load, EnsemblePair pair) {
    this.settings = settings;
    this.load = load;
    this.pair = pair;
  }

  /** Makes an order. */
  @FunctionalInterface
  interface Orders {
    EnsembleOrder of(String ensemble, Duration time);
  }

  EnsemblePair pair() {
    return pair;
  }

  /** Tells the load process the servers of all ensembles. */
  void open() throws IOException {
    for (Ensemble ensemble : pair.all()) {
      load.open(ensemble);
    }
  }

  /** Closes all sessions. */
  void close() throws IOException {
    for (Ensemble ensemble : pair.all()) {
      load.close(ensemble);
    }
  }

  /** Warms each ensemble up, and then measures all of them in turns. */
  Map<String, RoundMedians> compare(Orders orders) throws IOException {
    Map<String, List<LoadOutcome>> seen = new LinkedHashMap<>();
    for (Ensemble ensemble : pair.all()) {
      seen.put(ensemble.name(), new ArrayList<>());
      var _ = load.carryOut(orders.of(ensemble.name(), settings.round().multipliedBy(WARMUP)));
    }
    for (int round = 0; round < settings.rounds(); round++) {
      List<Ensemble> turns = round % 2 == 0 ? pair.all() : pair.all().reversed();
      for (Ensemble ensemble : turns) {
        LoadOutcome outcome = load.carryOut(orders.of(ensemble.name(), settings.round()));
        seen.getOrDefault(ensemble.name(), List.of()).add(outcome);
      }
    }
    Map<String, RoundMedians> medians = new LinkedHashMap<>();
    seen.forEach((name, outcomes) -> medians.put(name, RoundMedians.of(outcomes)));
    return medians;
  }

  /** Has one ensemble carry out an order once. */
  LoadOutcome once(EnsembleOrder order) throws IOException {
    return load.carryOut(order);
  }

  /** Tells the load process the servers of one more ensemble, which takes no turns. */
  void open(Ensemble other) throws IOException {
    load.open(other);
  }

  /** Closes the sessions with such an ensemble. */
  void close(Ensemble other) throws IOException {
    load.close(other);
  }
}
