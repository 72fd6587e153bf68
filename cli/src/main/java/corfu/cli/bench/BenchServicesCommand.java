package corfu.cli.bench;

import corfu.bench.service.ServicesBenchmark;
import corfu.bench.service.ServicesSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "services",
    description = {
      "Measures the services over the log: the store, state machine replication, and "
          + "mirroring.",
      "puts: atomic changes of several keys of the store, in one entry and as in the CORFU "
          + "paper, with one entry more than keys; beside appends to the log (figure 9, left). "
          + "gets: reads of several keys, of the newest values and of a snapshot, beside reads of "
          + "the log (figure 9, right). smr: an increasing number of replicas that submit 7,000 "
          + "commands a second each (figure 10). mirror: the rate of a mirror, and its delay."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench services --part puts --keys 1,4,10 --plot puts.svg",
      "  corfu bench services --part smr --machines 1,2,4"
    })
final class BenchServicesCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ServicesSettings.Part> parts = Set.of();

  @Mixin private final MemoryModeOption mode = new MemoryModeOption();
  @Mixin private final PlotOption plot = new PlotOption();

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "1",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int copies = 1;

  @Mixin private final RoundOptions turns = new RoundOptions();

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Size of a value of the store (default: ${DEFAULT-VALUE}).")
  private int valueBytes = 1024;

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4,6,8,10",
      description = "Keys of a change or read, a run for each number (default: ${DEFAULT-VALUE}).")
  private List<Integer> keys = List.of();

  @Option(
      names = "--machines",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4,8",
      description = "Replicas of the state machine, a run for each (default: ${DEFAULT-VALUE}).")
  private List<Integer> machines = List.of();

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Mirrored entries of a round (default: ${DEFAULT-VALUE}).")
  private int entries = 20_000;

  BenchServicesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("services", terminal, style, this::settings, ServicesBenchmark::measure);
  }

  private ServicesSettings settings() {
    return new ServicesSettings(
        parts,
        mode.mode(),
        copies,
        turns.rounds(),
        turns.round(),
        valueBytes,
        keys,
        machines,
        entries,
        plot.file());
  }
}
