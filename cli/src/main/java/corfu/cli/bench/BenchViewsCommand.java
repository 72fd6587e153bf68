package corfu.cli.bench;

import corfu.bench.view.ViewsBenchmark;
import corfu.bench.view.ViewsSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "views",
    description = {
      "Measures remote views beside local ones, and the effect of readers on writers. The "
          + "cluster has one replica of the log, and one of the streams.",
      "readers: an increasing number of clients reads one object that changes all the time "
          + "(figure 5.10 of the dissertation). snapshots: transactions of three reads, each at "
          + "another past address (5.12). readonly: a writer of ten entries at a time, and an "
          + "increasing number of read-only transactions (5.13). scan: recorded page views beside "
          + "a scan of all pages (5.14). clear: clear and size of a composed map (5.17)."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench views --part readers --clients 1,32,1000 --plot readers.svg",
      "  corfu bench views --part clear --buckets 10000 --rounds 3"
    })
final class BenchViewsCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ViewsSettings.Part> parts = Set.of();

  @Mixin private final MemoryModeOption mode = new MemoryModeOption();
  @Mixin private final PlotOption plot = new PlotOption();

  @Mixin private final RoundOptions turns = new RoundOptions();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,8,32,100,200,1000",
      description = "Reading clients, one run for each number (default: ${DEFAULT-VALUE}).")
  private List<Integer> clients = List.of();

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Keys for transactions (default: ${DEFAULT-VALUE}).")
  private int keys = 100_000;

  @Option(
      names = "--pages",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Pages of the scan (default: ${DEFAULT-VALUE}).")
  private int pages = 10_000;

  @Option(
      names = "--buckets",
      split = ",",
      paramLabel = "N",
      defaultValue = "10,100,1000,10000",
      description =
          "Buckets of the cleared map, one run for each number (default: ${DEFAULT-VALUE}).")
  private List<Integer> buckets = List.of();

  BenchViewsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("views", terminal, style, this::settings, ViewsBenchmark::measure);
  }

  private ViewsSettings settings() {
    return new ViewsSettings(
        parts,
        mode.mode(),
        turns.rounds(),
        turns.round(),
        clients,
        keys,
        pages,
        buckets,
        plot.file());
  }
}
