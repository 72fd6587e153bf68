package corfu.bench.silver;

import static corfu.bench.silver.SilverGround.done;

import corfu.bench.harness.LiveHeap;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import corfu.fuse.protocol.FileName;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The heap of a mount that has seen the attributes of many files. The tree has some files, and
 * clones of these, which are other files to a mount.
 */
final class MountMemory {

  private static final String NAME = "many";
  private static final int FILES = 10_000;
  private static final double MEBI = 1 << 20;

  private final SilverSettings settings;
  private final SilverGround ground;
  private final Consumer<PartResult> results;

  MountMemory(SilverSettings settings, SilverGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
  }

  void measure() throws Exception {
    int files = Math.min(FILES, settings.seenFiles());
    try (Corfu corfu = ground.connect();
        Silver silver = Silver.over(corfu)) {
      SilverFileSystem tree = done(silver.create("one", silver.caller(0, 0)));
      Trees.grow(silver, tree, files);
      SilverFileSystem all = done(silver.create(NAME, silver.caller(0, 0)));
      for (int i = 0; i < settings.seenFiles() / files; i++) {
        var unused =
            done(
                all.cloneFrom(
                    tree, tree.root(), all.root(), FileName.of("c" + i), silver.caller(0, 0)));
      }
    }
    try (MountedProcess mount = ground.mount(NAME)) {
      long seen = see(mount.directory());
      double heap = LiveHeap.of(mount.pid()) / MEBI;
      results.accept(
          new PartResult.Values(
              "memory",
              "a mount that has seen %,d files".formatted(seen),
              List.of(new Value("seenFiles", seen), new Value("heapMiB", heap))));
    }
  }

  private static long see(Path directory) throws IOException {
    try (Stream<Path> names = Files.walk(directory)) { // looks at the attributes of each
      return names.filter(Files::isRegularFile).count();
    }
  }
}
