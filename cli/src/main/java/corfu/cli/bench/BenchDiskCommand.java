package corfu.cli.bench;

import corfu.bench.disk.DiskBenchmark;
import corfu.bench.disk.DiskSettings;
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
    name = "disk",
    description = {
      "Measures virtual disks on durable log servers. Needs fio and nbdkit.",
      "random, sequential: fio on a disk, in turns with a local file that nbdkit serves. Both flush"
          + " their writes.",
      "snapshots: snapshots and clones of a full disk. start: the time until a new server has read "
          + "a block of it."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench disk --rows random,sequential --copies 1,2",
      "  corfu bench disk --rows snapshots,start --full-gib 2"
    })
final class BenchDiskCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<DiskSettings.Row> rows = Set.of();

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
      names = "--size-mib",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Size of the disk for rates in MiB (default: ${DEFAULT-VALUE}).")
  private int sizeMiB = 1_024;

  @Option(
      names = "--full-gib",
      paramLabel = "N",
      defaultValue = "10",
      description = "Size of the full disk in GiB (default: ${DEFAULT-VALUE}).")
  private int fullGiB = 10;

  @Option(
      names = "--copies",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2",
      description = "Copies of each entry, on as many servers (default: ${DEFAULT-VALUE}).")
  private List<Integer> copies = List.of();

  BenchDiskCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("disk", terminal, style, this::settings, DiskBenchmark::measure);
  }

  private DiskSettings settings() {
    return new DiskSettings(rows, rounds, seconds, samples, sizeMiB, fullGiB, copies);
  }
}
