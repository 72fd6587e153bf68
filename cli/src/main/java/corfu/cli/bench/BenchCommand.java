package corfu.cli.bench;

import corfu.bench.Benchmark;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.Figure;
import corfu.bench.log.PageMapComparison;
import corfu.cli.bench.peers.BenchMapsCommand;
import corfu.cli.bench.peers.BenchPeersCommand;
import corfu.cli.bench.peers.BenchYcsbCommand;
import corfu.cli.command.CommandException;
import corfu.cli.command.CommandGroup;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "bench",
    description = {
      "Runs a benchmark, and prints the machine's limit beside each figure.",
      "The benchmark runs real server processes on this machine. It measures the limits in "
          + "the same run: a bare echo over loopback with frames of the same sizes and as many in "
          + "flight; write and fdatasync of as much at a time; a stream of writes. JSON contains "
          + "the ratio to the lowest limit."
    },
    synopsisSubcommandLabel =
        "| latency | tls | quota | overload | scaling | footprint | reconfigure | streams | objects"
            + " | views | services | zookeeper | peers | ycsb | maps | all",
    footer = {
      "",
      "Benchmarks:",
      "  limits     the machine's limits alone",
      "  tokens     tokens of the sequencer, one or many per request",
      "  append     appends of one size",
      "  read       bulk reads, and single reads at random addresses",
      "  pagemap    the log unit's page map beside other maps",
      "  latency, tls, quota, overload, scaling, footprint, reconfigure, streams, objects, views,"
          + " services, zookeeper, peers, ycsb and maps have settings of their own: corfu bench"
          + " overload --help",
      "  all        all of them, for the tables of docs/performance.md",
      "",
      "Examples:",
      "  corfu bench append --size 256,4096 --depth 1,256 --seconds 10",
      "  corfu bench append --mode memory --clients 16 --depth 1 --json"
    })
public final class BenchCommand implements Callable<Integer>, CommandGroup {

  private static final int PAGE_MAP_ENTRIES = 4_000_000;
  private static final int PAGE_MAP_ROUNDS = 5;
  private static final String ROW =
      "%-16s %6s %7s %5s %-8s %4s | %12s %9s %9s %9s | %6s %-48s %12s | %6s %6s";

  /** The benchmarks without settings of their own. */
  enum Name {
    LIMITS,
    TOKENS,
    APPEND,
    READ,
    PAGEMAP
  }

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "One of ${COMPLETION-CANDIDATES}.")
  private Optional<Name> name = Optional.empty();

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "BYTES",
      defaultValue = "256,4096",
      description = "Payload of an entry (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads, which share one connection (default: ${DEFAULT-VALUE}).")
  private List<Integer> clients = List.of();

  @Option(
      names = "--depth",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,256",
      description = {
        "In-flight requests of each thread; with 1, it waits for each (default:",
        "${DEFAULT-VALUE})."
      })
  private List<Integer> depths = List.of();

  @Mixin private final DurableLogOptions log = new DurableLogOptions();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Server processes (default: as many as replicas).")
  private Optional<Integer> nodes = Optional.empty();

  @Option(
      names = "--seconds",
      paramLabel = "TIME",
      defaultValue = "10",
      description = "Measured time of each combination (default: ${DEFAULT-VALUE}).")
  private Duration seconds = Duration.ofSeconds(10);

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "5",
      description = "Time of each combination before that (default: ${DEFAULT-VALUE}).")
  private Duration warmup = Duration.ofSeconds(5);

  public BenchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Collection<Object> subcommands(Terminal output) {
    return List.of(
        new BenchLatencyCommand(output),
        new BenchTlsCommand(output),
        new BenchQuotaCommand(output),
        new BenchOverloadCommand(output),
        new BenchScalingCommand(output),
        new BenchFootprintCommand(output),
        new BenchReconfigureCommand(output),
        new BenchStreamsCommand(output),
        new BenchObjectsCommand(output),
        new BenchViewsCommand(output),
        new BenchServicesCommand(output),
        new BenchSilverCommand(output),
        new BenchDiskCommand(output),
        new BenchZooKeeperCommand(output),
        new BenchPeersCommand(output),
        new BenchYcsbCommand(output),
        new BenchMapsCommand(output),
        new BenchAllCommand(output));
  }

  @Override
  public Integer call() {
    Name wanted =
        name.orElseThrow(
            () -> new CommandException(ExitCode.USAGE, "name a benchmark: corfu bench --help"));
    try (var out = new CommandOutput(terminal.out())) {
      switch (wanted) {
        case LIMITS -> measure(Benchmark.LIMITS, out);
        case TOKENS -> measure(Benchmark.TOKENS, out);
        case APPEND -> measure(Benchmark.APPEND, out);
        case READ -> measure(Benchmark.READ, out);
        case PAGEMAP -> comparePageMaps(out);
      }
      return ExitCode.OK;
    }
  }

  private BenchSettings settings() {
    try {
      return new BenchSettings(
          sizes,
          clients,
          depths,
          log.mode(),
          log.replicas(),
          nodes.orElse(log.replicas()),
          seconds,
          warmup);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void measure(Benchmark benchmark, CommandOutput out) {
    var settings = settings();
    if (!style.json()) {
      out.line(
          ROW.formatted(
              "benchmark",
              "bytes",
              "clients",
              "depth",
              "mode",
              "repl",
              "ops/s",
              "p50 us",
              "p99 us",
              "p99.9 us",
              "ratio",
              "to the limit",
              "limit/s",
              "client",
              "server"));
      out.flush();
    }
    var java = CorfuProgram.command();
    benchmark.measure(
        settings,
        java,
        figure -> {
          if (style.json()) {
            printJson(out, figure);
          } else {
            printText(out, figure);
          }
          out.flush();
        });
    if (!style.json()) {
      out.line(
          "client, server: processor seconds in our rounds, of %.0f"
              .formatted(Units.seconds(seconds)));
    }
  }

  private static void printText(CommandOutput out, Figure figure) {
    var scenario = figure.scenario();
    boolean first = true;
    for (Figure.Reached limit : figure.limits()) {
      String ratio = "%.3f".formatted(figure.ratioTo(limit));
      String perSecond = "%,.0f".formatted(limit.perSecond());
      if (!first) {
        out.line(
            ROW.formatted(
                "", "", "", "", "", "", "", "", "", "", ratio, limit.name(), perSecond, "", ""));
        continue;
      }
      first = false;
      out.line(
          ROW.formatted(
              scenario.benchmark(),
              scenario.sizeBytes(),
              scenario.clients(),
              scenario.depth(),
              scenario.mode(),
              scenario.replicas(),
              "%,.0f".formatted(figure.opsPerSecond()),
              "%,.1f".formatted(figure.p50Micros()),
              "%,.1f".formatted(figure.p99Micros()),
              "%,.1f".formatted(figure.p999Micros()),
              ratio,
              limit.name(),
              perSecond,
              "%.2f".formatted(Units.seconds(figure.clientCpu())),
              "%.2f".formatted(Units.seconds(figure.serverCpu()))));
    }
  }

  private static void printJson(CommandOutput out, Figure figure) {
    var scenario = figure.scenario();
    var limit = figure.limit();
    out.json(
        json -> {
          json.writeStringField("benchmark", scenario.benchmark());
          json.writeNumberField("sizeBytes", scenario.sizeBytes());
          json.writeNumberField("clients", scenario.clients());
          json.writeNumberField("depth", scenario.depth());
          json.writeStringField("mode", scenario.mode());
          json.writeNumberField("replicas", scenario.replicas());
          json.writeNumberField("opsPerSecond", figure.opsPerSecond());
          json.writeNumberField("p50Micros", figure.p50Micros());
          json.writeNumberField("p99Micros", figure.p99Micros());
          json.writeNumberField("p999Micros", figure.p999Micros());
          json.writeStringField("limitName", limit.name());
          json.writeNumberField("limitPerSecond", limit.perSecond());
          json.writeNumberField("ratio", figure.ratioTo(limit));
          json.writeArrayFieldStart("limits");
          for (Figure.Reached each : figure.limits()) {
            json.writeStartObject();
            json.writeStringField("name", each.name());
            json.writeNumberField("perSecond", each.perSecond());
            json.writeNumberField("p50Micros", each.p50Micros());
            json.writeNumberField("ratio", figure.ratioTo(each));
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeNumberField("clientCpuSeconds", Units.seconds(figure.clientCpu()));
          json.writeNumberField("serverCpuSeconds", Units.seconds(figure.serverCpu()));
        });
  }

  private void comparePageMaps(CommandOutput out) {
    try (var world = new RealWorld()) {
      var rows = PageMapComparison.run(world, PAGE_MAP_ENTRIES, PAGE_MAP_ROUNDS);
      if (!style.json()) {
        out.line(
            "%-24s %12s %12s %12s %16s"
                .formatted("map", "entries", "insert ns", "lookup ns", "bytes an entry"));
      }
      rows.forEach(row -> print(out, row));
    }
  }

  private void print(CommandOutput out, PageMapComparison.Row row) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("benchmark", "pagemap");
            json.writeStringField("map", row.name());
            json.writeNumberField("entries", row.entries());
            json.writeNumberField("insertNanos", row.insertNanos());
            json.writeNumberField("lookupNanos", row.lookupNanos());
            json.writeNumberField("bytesPerEntry", row.bytesPerEntry());
          });
    } else {
      out.line(
          "%-24s %,12d %12.1f %12.1f %16.2f"
              .formatted(
                  row.name(),
                  row.entries(),
                  row.insertNanos(),
                  row.lookupNanos(),
                  row.bytesPerEntry()));
    }
  }
}
