package corfu.bench.silver;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of {@link SilverBenchmark}.
 *
 * @param rows the measurements; empty means all
 * @param rounds the number of turns of each side, 1 or more
 * @param round the length of a turn
 * @param samples the number of measurements of each time, 1 or more
 * @param fileMiB the size of the large file in MiB, 1 or more
 * @param depth the threads that overwrite the large file, 1 or more
 * @param threads the threads that make small files, 1 or more
 * @param trees the numbers of files of the trees that are cloned, each 1 or more
 * @param repositoryFiles the number of files of the git repository, 1 or more
 * @param seenFiles the number of files that a mount has seen before its memory is measured
 */
public record SilverSettings(
    Set<Row> rows,
    int rounds,
    Duration round,
    int samples,
    int fileMiB,
    int depth,
    int threads,
    List<Integer> trees,
    int repositoryFiles,
    int seenFiles) {

  /** A measurement. */
  public enum Row {
    /** Table 6.5 of the dissertation. */
    TABLE,
    /** Sequential writes and reads of blocks of 1 MiB. */
    SEQUENTIAL,
    /** Random overwrites of 4 KiB, in a file and in its hundredth clone. */
    RANDOM,
    /** Creation, attributes and removal of small files. */
    SMALL,
    /** Clones of trees of several sizes. */
    CLONES,
    /** {@code git clone}. */
    GIT,
    /** The heap of a mount that has seen many files. */
    MEMORY
  }

  public SilverSettings {
    rows = Set.copyOf(rows);
    trees = List.copyOf(trees);
    if (rounds < 1
        || samples < 1
        || fileMiB < 1
        || depth < 1
        || threads < 1
        || repositoryFiles < 1
        || seenFiles < 1
        || trees.stream().anyMatch(files -> files < 1)) {
      throw new IllegalArgumentException(
          "every number is 1 or more, but this is %d rounds, %d samples, %d MiB, depth %d, %d"
                  .formatted(rounds, samples, fileMiB, depth, threads)
              + " threads, trees of %s files, a repository of %d, and %d seen files"
                  .formatted(trees, repositoryFiles, seenFiles));
    }
  }

  boolean has(Row row) {
    return rows.isEmpty() || rows.contains(row);
  }
}
