package corfu.bench.silver;

import static corfu.bench.silver.SilverGround.done;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.bench.harness.Samples;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.mount.SilverMount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Table 6.5 of the dissertation: how long it takes to clone, to mount, and to use a file or
 * directory that the mount has not seen yet. A warm-up of several times the samples comes first.
 */
final class PaperTable {

  private static final String NAME = "paper";
  private static final int FILE_BYTES = 4096;
  private static final int FILES_OF_A_DIRECTORY = 10;
  private static final int WARM_UP_TIMES = 5;
  private static final int CLONES = 10;
  private static final int MOUNTS_PART = 4; // a mount costs more than the other operations

  private final SilverSettings settings;
  private final SilverGround ground;
  private final Consumer<PartResult> results;

  PaperTable(SilverSettings settings, SilverGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
  }

  void measure() throws Exception {
    try (Corfu corfu = ground.connect();
        Silver silver = Silver.over(corfu)) {
      var caller = silver.caller(0, 0);
      SilverFileSystem files = done(silver.create(NAME, caller));
      fill(silver, files);
      for (int i = 0; i < CLONES; i++) {
        SilverFileSystem unused = done(silver.clone(NAME, Optional.empty(), "clone-" + i, caller));
      }
    }
    mounts("access of a file system (mount)", "-" + NAME, 1.8, number -> NAME);
    mounts("access of a cloned file system", "-clone", 2.2, number -> "clone-" + number % CLONES);
    accesses(NAME, "", 0.9, 0.6);
    accesses("clone-0", "cloned ", 1.0, 0.8);
    clones();
  }

  private int all() {
    return settings.samples() * (1 + WARM_UP_TIMES);
  }

  /** Measures an operation, with a number for each sample. */
  private interface Numbered {
    void run(int number) throws Exception;
  }

  private Samples samples(int count, Numbered operation) throws Exception {
    var samples = new Samples();
    int warmUp = count * WARM_UP_TIMES;
    for (int i = 0; i < count + warmUp; i++) {
      long begin = System.nanoTime();
      operation.run(i);
      long took = System.nanoTime() - begin;
      if (i >= warmUp) {
        samples.add(took);
      }
    }
    return samples;
  }

  private void report(String what, double paperMillis, Samples samples) {
    results.accept(
        new PartResult.Values(
            "table",
            what,
            List.of(
                new Value("count", samples.count()),
                new Value("p50Millis", samples.millis(50)),
                new Value("p99Millis", samples.millis(99)),
                new Value("paperMillis", paperMillis))));
  }

  private void fill(Silver silver, SilverFileSystem files) {
    var caller = silver.caller(0, 0);
    NewNode directory = NewNode.of(FileMode.DIRECTORY | 0755, 0, 0);
    NewNode file = NewNode.of(FileMode.REGULAR | 0644, 0, 0);
    for (int i = 0; i < all(); i++) {
      NodeId in = done(files.create(files.root(), FileName.of("d" + i), directory, caller));
      for (int j = 0; j < FILES_OF_A_DIRECTORY; j++) {
        NodeId unused = done(files.create(in, FileName.of("f" + j), file, caller));
      }
      NodeId one = done(files.create(files.root(), FileName.of("f" + i), file, caller));
      var unused = done(files.write(one, 0, ByteBuffer.allocate(FILE_BYTES), caller));
    }
  }

  /** Comes last, because it leaves as many clones as samples. */
  private void clones() throws Exception {
    try (Corfu corfu = ground.connect();
        Silver silver = Silver.over(corfu)) {
      clones(silver, done(silver.open(NAME)));
    }
  }

  private void clones(Silver silver, SilverFileSystem files) throws Exception {
    var caller = silver.caller(0, 0);
    NodeId directory = done(files.lookUp(files.root(), FileName.of("d0"))).node();
    NodeId file = done(files.lookUp(files.root(), FileName.of("f0"))).node();
    Optional<Address> newest = Optional.empty();
    report(
        "clone of a file system",
        0.8,
        samples(settings.samples(), i -> done(silver.clone(NAME, newest, "copy-" + i, caller))));
    report(
        "clone of a directory",
        0.8,
        samples(settings.samples(), i -> clone(silver, files, directory, "cd" + i)));
    report(
        "clone of a file",
        0.8,
        samples(settings.samples(), i -> clone(silver, files, file, "cf" + i)));
  }

  private static void clone(Silver silver, SilverFileSystem files, NodeId node, String name) {
    NodeId unused =
        done(files.cloneFrom(files, node, files.root(), FileName.of(name), silver.caller(0, 0)));
  }

  /** The name of the file system of a sample. */
  private interface Names {
    String of(int number);
  }

  private void mounts(String what, String point, double paperMillis, Names names) throws Exception {
    Path directory = Files.createDirectories(ground.directory().resolve("mount" + point));
    int count = Math.max(1, settings.samples() / MOUNTS_PART);
    var samples = new Samples();
    try (Corfu corfu = ground.connect()) {
      for (int i = 0; i < count * (1 + WARM_UP_TIMES); i++) {
        try (Silver silver = Silver.over(corfu)) {
          String name = names.of(i);
          long begin = System.nanoTime();
          SilverFileSystem files = done(silver.open(name));
          try (SilverMount mount =
              SilverMount.mount(ground.log().world(), silver, files, name, directory)) {
            boolean isThere = Files.exists(mount.directory().resolve("f0"));
            long took = System.nanoTime() - begin;
            if (!isThere) {
              throw new IllegalStateException("the mount of %s lacks a file".formatted(name));
            }
            if (i >= count * WARM_UP_TIMES) {
              samples.add(took);
            }
          }
        }
      }
    }
    report(what, paperMillis, samples);
  }

  private void accesses(String name, String kind, double directoryMillis, double fileMillis)
      throws Exception {
    try (MountedProcess mount = ground.mount(name)) {
      Path root = mount.directory();
      report(
          "access of a %sdirectory".formatted(kind),
          directoryMillis,
          samples(settings.samples(), i -> expect(FILES_OF_A_DIRECTORY, () -> list(root, i))));
      report(
          "cat of a %sfile of 4 KiB".formatted(kind),
          fileMillis,
          samples(
              settings.samples(),
              i -> expect(FILE_BYTES, () -> Files.readAllBytes(root.resolve("f" + i)).length)));
    }
  }

  private static int list(Path root, int number) throws IOException {
    try (var names = Files.list(root.resolve("d" + number))) {
      return (int) names.count();
    }
  }

  private static void expect(int wanted, Callable<Integer> seen) throws Exception {
    int found = seen.call();
    if (found != wanted) {
      throw new IllegalStateException(
          "the mount should show %d, and shows %d".formatted(wanted, found));
    }
  }
}
