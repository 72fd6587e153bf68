package corfu.bench.disk;

import corfu.bench.disk.DiskSettings.Row;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.harness.Samples;
import corfu.disk.DiskTarget;
import corfu.disk.Disks;
import corfu.runtime.Corfu;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Times that must not depend on the size of a disk, on a disk that is full. */
final class FullDisk {

  private static final String NAME = "full";
  private static final long GIBIBYTE = 1L << 30;
  private static final int WARM_UP_TIMES = 3;
  private static final int STARTS_PART = 20; // a start costs more than a snapshot

  private final DiskSettings settings;
  private final DiskGround ground;
  private final Consumer<PartResult> results;

  FullDisk(DiskSettings settings, DiskGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
  }

  void measure() throws Exception {
    ground.create(NAME, settings.fullGiB() * GIBIBYTE);
    Path socket = ground.directory().resolve("disk.sock");
    try (ServerProcess server = ground.serve(socket)) {
      fill(new FioLoad(NAME, server.socket()));
      if (settings.has(Row.SNAPSHOTS)) {
        snapshots();
      }
    }
    if (settings.has(Row.START)) {
      starts(socket);
    }
  }

  /** A quarter of the blocks is written once more at random, so that the map has many extents. */
  private void fill(FioLoad load) throws Exception {
    String size = "--size=%dG".formatted(settings.fullGiB());
    double unused =
        load.requestsPerSecond("--rw=write", "--bs=1M", "--iodepth=4", "--fsync=32", size);
    double unusedToo =
        load.requestsPerSecond(
            "--rw=randwrite",
            "--bs=4k",
            "--iodepth=64",
            "--fsync=1024",
            size,
            "--io_size=%dM".formatted(settings.fullGiB() * 256));
  }

  private void snapshots() {
    try (Corfu corfu = ground.connect()) {
      Disks disks = Disks.over(corfu);
      times(
          "snapshot of a full disk",
          number -> {
            var unused = disks.snapshot(NAME, Optional.of("s" + number)).value();
          });
      times(
          "clone of a full disk",
          number -> {
            var unused = disks.clone(DiskTarget.of(NAME), "clone-" + number).value();
          });
    }
  }

  private void times(String what, IntConsumer operation) {
    var samples = new Samples();
    int warmUp = settings.samples() * WARM_UP_TIMES;
    for (int i = 0; i < warmUp + settings.samples(); i++) {
      long begin = System.nanoTime();
      operation.accept(i);
      if (i >= warmUp) {
        samples.add(System.nanoTime() - begin);
      }
    }
    report("times", what, samples);
  }

  private void report(String part, String what, Samples samples) {
    results.accept(
        new PartResult.Values(
            part,
            "%s of %d GiB".formatted(what, settings.fullGiB()),
            List.of(
                new Value("count", samples.count()),
                new Value("p50Millis", samples.millis(50)),
                new Value("p99Millis", samples.millis(99)))));
  }

  /** From the start of the process to the first block that a client has read. */
  private void starts(Path socket) throws Exception {
    var samples = new Samples();
    int count = Math.max(1, settings.samples() / STARTS_PART);
    for (int i = 0; i <= count; i++) { // the first one warms the machine's caches
      long begin = System.nanoTime();
      try (ServerProcess server = ground.serve(socket)) {
        FirstRead.of(NAME, server.socket());
        if (i > 0) {
          samples.add(System.nanoTime() - begin);
        }
      }
    }
    report("start", "start of a server until the first read, for a full disk", samples);
  }
}
