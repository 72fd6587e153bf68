package corfu.bench.disk;

import corfu.bench.disk.DiskSettings.Row;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.RateTurns;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The rates of a disk beside those of a local file that nbdkit serves, in turns. */
final class DiskRates {

  private static final String NAME = "vm";
  private static final long MEBIBYTE = 1L << 20;

  /** Both sides flush after so many requests. */
  private static final String FLUSH = "--fsync=32";

  private final DiskSettings settings;
  private final DiskGround ground;
  private final Consumer<PartResult> results;
  private final RateTurns turns;

  DiskRates(DiskSettings settings, DiskGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
    this.turns = new RateTurns(settings.rounds());
  }

  void measure() throws Exception {
    long bytes = settings.sizeMiB() * MEBIBYTE;
    ground.create(NAME, bytes);
    Path file = ground.directory().resolve("file");
    try (var local = new RandomAccessFile(file.toFile(), "rw")) {
      local.setLength(bytes);
    }
    try (ServerProcess disk = ground.serve(ground.directory().resolve("disk.sock"));
        ServerProcess plain = ServerProcess.ofFile(file, ground.directory().resolve("file.sock"))) {
      plain.awaitSocket();
      var ours = new FioLoad(NAME, disk.socket());
      var theirs = new FioLoad("", plain.socket());
      if (settings.has(Row.SEQUENTIAL)) {
        sequential(ours, theirs, "writes", "--rw=write", FLUSH);
        sequential(ours, theirs, "reads", "--rw=read");
      } else {
        fill(ours);
        fill(theirs);
      }
      if (settings.has(Row.RANDOM)) {
        random(
            ours,
            theirs,
            "writes of 4 KiB, 32 at the same time, a flush each 32",
            "--rw=randwrite",
            FLUSH);
        readAll(ours);
        readAll(theirs);
        random(ours, theirs, "reads of 4 KiB, 32 at the same time", "--rw=randread");
      }
    }
  }

  private void fill(FioLoad load) throws Exception {
    double unused = load.requestsPerSecond(options("--rw=write", FLUSH, "--bs=1M", "--iodepth=4"));
  }

  /** Brings the disk into the caches of both sides. */
  private void readAll(FioLoad load) throws Exception {
    double unused = load.requestsPerSecond(options("--rw=read", "--bs=1M", "--iodepth=4"));
  }

  /** Each turn writes or reads the whole disk once. */
  private void sequential(FioLoad ours, FioLoad theirs, String what, String... more)
      throws Exception {
    report(
        "sequential",
        what + " of 1 MiB, 4 at the same time" + (what.equals("writes") ? ", a flush each 32" : ""),
        "MiBPerSecond",
        ours,
        theirs,
        options(more, "--bs=1M", "--iodepth=4"));
  }

  private void random(FioLoad ours, FioLoad theirs, String what, String... more) throws Exception {
    report(
        "random",
        what,
        "PerSecond",
        ours,
        theirs,
        options(
            more,
            "--bs=4k",
            "--iodepth=32",
            "--time_based",
            "--runtime=" + Math.max(1, settings.round().toSeconds())));
  }

  private String[] options(String... some) {
    return options(some, new String[0]);
  }

  private String[] options(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    all.add("--size=%dM".formatted(settings.sizeMiB()));
    return all.toArray(String[]::new);
  }

  private void report(
      String part, String what, String unit, FioLoad ours, FioLoad theirs, String[] options)
      throws Exception {
    RateTurns.Medians seen =
        turns.compare(
            round -> ours.requestsPerSecond(options), round -> theirs.requestsPerSecond(options));
    String copies = ground.copies() == 1 ? "1 copy" : ground.copies() + " copies";
    results.accept(
        new PartResult.Values(
            part, what + ", " + copies, seen.values("disk" + unit, "nbdkit" + unit)));
  }
}
