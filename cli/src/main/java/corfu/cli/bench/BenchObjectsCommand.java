package corfu.cli.bench;

import corfu.bench.object.ObjectsBenchmark;
import corfu.bench.object.ObjectsSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "objects",
    description = {
      "Measures the cost of replicated objects, on a cluster of as many nodes as copies.",
      "map: put, fastPut and linearizable get, beside appends to the log and requests for "
          + "its tail by as many threads. transact: three reads and three writes of few and of "
          + "many keys, beside read-only transactions and beside attempts. play: a new view plays "
          + "small updates, beside a reader of their stream. open: a large map, by playing its "
          + "updates and from a checkpoint, beside the time to carry as many bytes. inlog: the "
          + "heap of a view with values in memory, and with values in the log. composed: a "
          + "composed map beside a plain one."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench objects --part map,transact --threads 16",
      "  corfu bench objects --part open --large 100 --mode buffered",
      "  corfu bench objects --part inlog --large 100 --value 4096"
    })
final class BenchObjectsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ObjectsSettings.Part> parts = Set.of();

  @Mixin private final MemoryModeOption mode = new MemoryModeOption();

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "1",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int replicas = 1;

  @Mixin private final RoundOptions turns = new RoundOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "16",
      description = "Threads that use one client's objects (default: ${DEFAULT-VALUE}).")
  private int threads = 16;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Keys of the map; transact also has a hundred times as many (default: ${DEFAULT-VALUE}).")
  private int keys = 1000;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Size of a value of the map (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 256;

  @Option(
      names = "--large",
      paramLabel = "MIB",
      defaultValue = "100",
      description = "Size of the map for open and inlog (default: ${DEFAULT-VALUE}).")
  private int largeMebibytes = 100;

  @Option(
      names = "--updates",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Small updates to play (default: ${DEFAULT-VALUE}).")
  private int updates = 1_000_000;

  BenchObjectsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("objects", terminal, style, this::settings, ObjectsBenchmark::measure);
  }

  private ObjectsSettings settings() {
    return new ObjectsSettings(
        parts,
        mode.mode(),
        replicas,
        turns.rounds(),
        turns.round(),
        threads,
        keys,
        valueBytes,
        largeMebibytes,
        updates);
  }
}
