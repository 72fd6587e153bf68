package corfu.cli.bench;

import corfu.bench.silver.SilverBenchmark;
import corfu.bench.silver.SilverSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "silver",
    description = {
      "Measures Silver on a log of three servers in memory, with three copies of each entry. "
          + "Needs root, /dev/fuse, and git for its row.",
      "table: clones, mounts, and first uses of files and directories (table 6.5 of the"
          + " dissertation). sequential: blocks of 1 MiB. random: overwrites of 4 KiB beside"
          + " appends to the log. small: creation, attributes and removal of small files. clones:"
          + " clones of trees of several sizes. git: git clone beside a local directory. memory:"
          + " the heap of a mount that has seen many files.",
      "sequential and small run in turns with a pass-through mount of a local directory, which "
          + "uses the same FUSE code."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench silver --rows table,clones",
      "  corfu bench silver --rows git --repository-files 1000"
    })
final class BenchSilverCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<SilverSettings.Row> rows = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each side (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "TIME",
      defaultValue = "5",
      description = "Length of a turn (default: ${DEFAULT-VALUE}).")
  private Duration seconds = Duration.ofSeconds(5);

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "200",
      description = "Measurements of each time (default: ${DEFAULT-VALUE}).")
  private int samples = 200;

  @Option(
      names = "--file-mib",
      paramLabel = "N",
      defaultValue = "256",
      description = "Size of the large file in MiB (default: ${DEFAULT-VALUE}).")
  private int fileMiB = 256;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that overwrite the large file (default: ${DEFAULT-VALUE}).")
  private int depth = 16;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Threads that make small files (default: ${DEFAULT-VALUE}).")
  private int threads = 4;

  @Option(
      names = "--trees",
      split = ",",
      paramLabel = "FILES",
      defaultValue = "10,34000,100000",
      description = "Files of the cloned trees (default: ${DEFAULT-VALUE}).")
  private List<Integer> trees = List.of();

  @Option(
      names = "--repository-files",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Files of the git repository (default: ${DEFAULT-VALUE}).")
  private int repositoryFiles = 10_000;

  @Option(
      names = "--seen-files",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Files that the mount has seen (default: ${DEFAULT-VALUE}).")
  private int seenFiles = 1_000_000;

  BenchSilverCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("silver", terminal, style, this::settings, SilverBenchmark::measure);
  }

  private SilverSettings settings() {
    return new SilverSettings(
        rows, rounds, seconds, samples, fileMiB, depth, threads, trees, repositoryFiles, seenFiles);
  }
}
