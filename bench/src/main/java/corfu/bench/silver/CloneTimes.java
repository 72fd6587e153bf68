package corfu.bench.silver;

import static corfu.bench.silver.SilverGround.done;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.harness.Samples;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The time to clone file systems of several sizes, in turns. */
final class CloneTimes {

  private final SilverSettings settings;
  private final SilverGround ground;
  private final Consumer<PartResult> results;

  CloneTimes(SilverSettings settings, SilverGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
  }

  void measure() throws Exception {
    List<Samples> samples = new ArrayList<>();
    try (Corfu corfu = ground.connect();
        Silver silver = Silver.over(corfu)) {
      for (int files : settings.trees()) {
        Trees.grow(silver, done(silver.create(name(files), silver.caller(0, 0))), files);
        samples.add(new Samples());
      }
      for (int i = -settings.samples(); i < settings.samples(); i++) { // the first half warms up
        for (int tree = 0; tree < samples.size(); tree++) {
          String source = name(settings.trees().get(tree));
          String target = source + " clone " + i;
          long begin = System.nanoTime();
          var unused = done(silver.clone(source, Optional.empty(), target, silver.caller(0, 0)));
          long took = System.nanoTime() - begin;
          if (i >= 0) {
            samples.get(tree).add(took);
          }
        }
      }
    }
    report(samples);
  }

  private static String name(int files) {
    return files + " files";
  }

  private void report(List<Samples> samples) {
    double smallest = samples.getFirst().millis(50);
    for (int tree = 0; tree < samples.size(); tree++) {
      int files = settings.trees().get(tree);
      Samples its = samples.get(tree);
      results.accept(
          new PartResult.Values(
              "clones",
              "a clone of %,d files".formatted(files),
              List.of(
                  new Value("files", files),
                  new Value("p50Millis", its.millis(50)),
                  new Value("p99Millis", its.millis(99)),
                  new Value("ofTheSmallest", its.millis(50) / smallest))));
    }
  }
}
