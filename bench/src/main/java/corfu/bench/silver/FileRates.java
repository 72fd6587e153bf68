package corfu.bench.silver;

import static corfu.bench.silver.SilverGround.done;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.RateTurns;
import corfu.bench.silver.SilverSettings.Row;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** The rates of files in a mount beside those of a pass-through mount, in turns. */
final class FileRates {

  private static final String NAME = "files";
  private static final int CLONES = 100;
  private static final long AFTER_TRIM_MILLIS = 3_000;
  private static final int WARM_UP_MIB = 8;
  private static final int WARM_UP_TURNS = 2;
  private static final int READS_TO_WARM_UP = 10;

  private final SilverSettings settings;
  private final SilverGround ground;
  private final Consumer<PartResult> results;
  private final RateTurns turns;

  FileRates(SilverSettings settings, SilverGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
    this.turns = new RateTurns(settings.rounds());
  }

  void measure() throws Exception {
    ground.create(NAME);
    try (MountedProcess ours = ground.mount(NAME);
        MountedProcess other = ground.passThrough()) {
      if (settings.has(Row.SEQUENTIAL)) {
        warmUp(ours.directory());
        warmUp(other.directory());
        sequential(ours.directory(), other.directory());
      }
      if (settings.has(Row.SMALL)) {
        small(ours.directory(), other.directory());
      }
    }
  }

  /** Each file of a mount grows by large blocks only a few hundred times: too few to compile. */
  private void warmUp(Path directory) throws Exception {
    Path file = directory.resolve("warm-up");
    double unusedRate = new SequentialBlocks(WARM_UP_MIB).write(file);
    for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
      double unused = overwrites().rate(file);
    }
    Files.delete(file);
  }

  void measureRandom() throws Exception {
    ground.create(NAME);
    try (MountedProcess ours = ground.mount(NAME)) {
      random(ours.directory());
    }
  }

  private RandomOverwrites overwrites() {
    return new RandomOverwrites(settings.depth(), settings.round(), ground.log().world().random());
  }

  private void report(String part, String what, String unit, RateTurns.Medians seen) {
    results.accept(
        new PartResult.Values(part, what, seen.values("silver" + unit, "passThrough" + unit)));
  }

  private void sequential(Path ours, Path other) throws Exception {
    var blocks = new SequentialBlocks(settings.fileMiB());
    Path file = Path.of("large");
    Path local = ground.local().resolve(file);
    String what = "of a file of %d MiB, in blocks of 1 MiB".formatted(settings.fileMiB());
    report(
        "sequential",
        "writes " + what,
        "MiBPerSecond",
        turns.compare(
            round -> blocks.write(ours.resolve(file)), round -> blocks.write(other.resolve(file))));
    for (int turn = 0; turn < READS_TO_WARM_UP; turn++) {
      blocks.forget(local);
      double unused = blocks.read(ours.resolve(file)) + blocks.read(other.resolve(file));
    }
    report(
        "sequential",
        "reads " + what,
        "MiBPerSecond",
        turns.compare(
            round -> {
              blocks.forget(local);
              return blocks.read(ours.resolve(file));
            },
            round -> {
              blocks.forget(local);
              return blocks.read(other.resolve(file));
            }));
  }

  private void small(Path ours, Path other) throws Exception {
    var files = new SmallFiles(settings.threads(), settings.round());
    List<SmallFiles.Rates> mine = new ArrayList<>();
    List<SmallFiles.Rates> theirs = new ArrayList<>();
    for (int round = 0; round <= settings.rounds(); round++) {
      SmallFiles.Rates own = files.turn(ours, round);
      SmallFiles.Rates its = files.turn(other, round);
      if (round > 0) { // the first turn is a warm-up
        mine.add(own);
        theirs.add(its);
      }
    }
    String by = " small files by %d threads".formatted(settings.threads());
    small("create" + by, mine, theirs, SmallFiles.Rates::creates);
    small("stat" + by, mine, theirs, SmallFiles.Rates::stats);
    small("unlink" + by, mine, theirs, SmallFiles.Rates::unlinks);
  }

  private void small(
      String what,
      List<SmallFiles.Rates> mine,
      List<SmallFiles.Rates> theirs,
      ToDoubleFunction<SmallFiles.Rates> phase) {
    var medians = new RateTurns.Medians(median(mine, phase), median(theirs, phase));
    report("small", what, "PerSecond", medians);
  }

  private static double median(
      List<SmallFiles.Rates> turns, ToDoubleFunction<SmallFiles.Rates> phase) {
    double[] sorted = turns.stream().mapToDouble(phase).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private void random(Path ours) throws Exception {
    Path file = ours.resolve("overwritten");
    double unused = new SequentialBlocks(settings.fileMiB()).write(file);
    String last = cloneOften("overwritten");
    try (Corfu corfu = ground.connect()) {
      random("a file of %d MiB".formatted(settings.fileMiB()), file, corfu.log());
      random("its hundredth clone", ours.resolve(last), corfu.log());
    }
  }

  private void random(String what, Path file, Log log) throws Exception {
    RandomOverwrites overwrites = overwrites();
    RateTurns.Medians seen =
        turns.compare(round -> overwrites.rate(file), round -> appends(overwrites, log));
    results.accept(
        new PartResult.Values(
            "random",
            "overwrites of 4 KiB in %s, %d at the same time".formatted(what, settings.depth()),
            seen.values("silverPerSecond", "appendsPerSecond")));
  }

  /** Trims the entries after each turn, because the log is in memory. */
  private static double appends(RandomOverwrites appends, Log log) throws Exception {
    Queue<Address> appended = new ConcurrentLinkedQueue<>();
    double rate =
        appends.rate(
            thread -> {
              ByteBuffer entry = ByteBuffer.allocate(RandomOverwrites.BYTES);
              return () -> appended.add(log.append(entry.clear()));
            });
    log.trim(List.copyOf(appended));
    Thread.sleep(AFTER_TRIM_MILLIS); // the servers give the space back
    return rate;
  }

  /** Clones a file, then the clone, and so on. Returns the name of the last clone. */
  private String cloneOften(String first) {
    try (Corfu corfu = ground.connect();
        Silver silver = Silver.over(corfu)) {
      SilverFileSystem files = done(silver.open(NAME));
      String name = first;
      NodeId node = done(files.lookUp(files.root(), FileName.of(name))).node();
      for (int i = 1; i <= CLONES; i++) {
        name = "clone-" + i;
        node =
            done(
                files.cloneFrom(files, node, files.root(), FileName.of(name), silver.caller(0, 0)));
      }
      return name;
    }
  }
}
