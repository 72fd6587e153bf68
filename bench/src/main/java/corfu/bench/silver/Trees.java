package corfu.bench.silver;

import static corfu.bench.silver.SilverGround.done;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes trees of empty files, by many threads at the same time. */
final class Trees {

  private static final int FILES_OF_A_DIRECTORY = 1000;
  private static final int THREADS = 16;

  private Trees() {}

  /** Creates this many files in directories of a thousand each. */
  static void grow(Silver silver, SilverFileSystem files, int count) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Integer>> parts = new ArrayList<>();
      for (int first = 0; first < count; first += FILES_OF_A_DIRECTORY) {
        int from = first;
        int to = Math.min(count, first + FILES_OF_A_DIRECTORY);
        parts.add(pool.submit(() -> directory(silver, files, from, to)));
      }
      for (Future<Integer> part : parts) {
        int unused = part.get();
      }
    }
  }

  private static int directory(Silver silver, SilverFileSystem files, int from, int to) {
    NewNode directory = NewNode.of(FileMode.DIRECTORY | 0755, 0, 0);
    NewNode file = NewNode.of(FileMode.REGULAR | 0644, 0, 0);
    NodeId in =
        done(files.create(files.root(), FileName.of("d" + from), directory, silver.caller(0, 0)));
    for (int i = from; i < to; i++) {
      NodeId unused = done(files.create(in, FileName.of("f" + i), file, silver.caller(0, 0)));
    }
    return to - from;
  }
}
