package corfu.bench.zookeeper;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.bench.zookeeper.load.Recipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Table 6.1 of the dissertation: the latency of recipes at several polls. */
final class RecipeTable {

  private final ZooKeeperSettings settings;
  private final LoadClient load;
  private final Consumer<PartResult> results;

  RecipeTable(ZooKeeperSettings settings, LoadClient load, Consumer<PartResult> results) {
    this.settings = settings;
    this.load = load;
    this.results = results;
  }

  /** Measures all recipes with ensembles whose translation servers poll like this. */
  void measure(Poll poll, EnsemblePair pair) throws IOException {
    var rounds = new EnsembleRounds(settings, load, pair);
    rounds.open();
    for (Recipe recipe : Recipe.values()) {
      var seen =
          rounds.compare(
              (ensemble, time) ->
                  new EnsembleOrder.Repeat(ensemble, recipe, settings.bytes(), time));
      List<Value> values = new ArrayList<>();
      values.addAll(RoundMedians.beside(seen, "Millis", "ratio", RoundMedians::p50Millis));
      published(recipe, poll).ifPresent(millis -> values.add(new Value("paperZkSlMillis", millis)));
      values.add(new Value("paperZkMillis", publishedReal(recipe)));
      String what = "%s, poll %s".formatted(recipe.name().toLowerCase(Locale.ROOT), poll.text());
      results.accept(new PartResult.Values("recipes", what, values));
    }
    rounds.close();
  }

  /** Returns the published latency of translation servers in ms, or nothing for push. */
  static OptionalInt published(Recipe recipe, Poll poll) {
    int[] millis =
        switch (recipe) {
          case BARRIER -> new int[] {2, 21, 131};
          case LOCK -> new int[] {3, 33, 196};
          case QUEUE -> new int[] {9, 39, 370};
          case QUERY -> new int[] {1, 1, 1};
        };
    return switch (poll) {
      case MS1 -> OptionalInt.of(millis[0]);
      case MS10 -> OptionalInt.of(millis[1]);
      case MS100 -> OptionalInt.of(millis[2]);
      case PUSH -> OptionalInt.empty();
    };
  }

  /** Returns the published latency of Apache ZooKeeper, in ms. */
  static int publishedReal(Recipe recipe) {
    return switch (recipe) {
      case BARRIER -> 3;
      case LOCK -> 8;
      case QUEUE -> 15;
      case QUERY -> 1;
    };
  }
}
