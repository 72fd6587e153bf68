package corfu.bench.zookeeper;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.zookeeper.ZooKeeperSettings.Row;
import corfu.bench.zookeeper.load.EnsembleOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Writes and reads of many clients, and one create at a time. */
final class Throughput {

  private static final int PERCENT = 100;

  private final ZooKeeperSettings settings;
  private final EnsembleRounds rounds;
  private final Consumer<PartResult> results;

  Throughput(ZooKeeperSettings settings, EnsembleRounds rounds, Consumer<PartResult> results) {
    this.settings = settings;
    this.rounds = rounds;
    this.results = results;
  }

  void run() throws IOException {
    if (settings.has(Row.WRITES)) {
      report("writes", mix(0));
    }
    if (settings.has(Row.READS)) {
      report("reads", mix(PERCENT));
    }
    if (settings.has(Row.CREATES)) {
      creates();
    }
  }

  private Map<String, RoundMedians> mix(int readPercent) throws IOException {
    return rounds.compare(
        (ensemble, time) ->
            new EnsembleOrder.Mix(
                ensemble,
                settings.clients(),
                settings.depth(),
                readPercent,
                settings.bytes(),
                EnsembleOrder.ALL_SERVERS,
                time));
  }

  private void report(String part, Map<String, RoundMedians> seen) {
    List<Value> values = new ArrayList<>();
    values.addAll(RoundMedians.beside(seen, "PerSecond", "ratio", RoundMedians::perSecond));
    values.addAll(RoundMedians.beside(seen, "P50Millis", "p50Ratio", RoundMedians::p50Millis));
    values.addAll(RoundMedians.beside(seen, "P99Millis", "p99Ratio", RoundMedians::p99Millis));
    String what =
        "%s of %,d B, %d servers, %d clients, %d in flight each"
            .formatted(
                part,
                settings.bytes(),
                ZooKeeperSettings.SERVERS,
                settings.clients(),
                settings.depth());
    results.accept(new PartResult.Values(part, what, values));
  }

  private void creates() throws IOException {
    var seen =
        rounds.compare(
            (ensemble, time) -> new EnsembleOrder.Creates(ensemble, settings.bytes(), time));
    List<Value> values = new ArrayList<>();
    values.addAll(RoundMedians.beside(seen, "P50Millis", "p50Ratio", RoundMedians::p50Millis));
    values.addAll(RoundMedians.beside(seen, "P99Millis", "p99Ratio", RoundMedians::p99Millis));
    String what =
        "one create of %,d B at a time, %d servers in turn"
            .formatted(settings.bytes(), ZooKeeperSettings.SERVERS);
    results.accept(new PartResult.Values("creates", what, values));
  }
}
