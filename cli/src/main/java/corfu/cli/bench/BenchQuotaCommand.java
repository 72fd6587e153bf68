package corfu.cli.bench;

import corfu.bench.log.QuotaBenchmark;
import corfu.bench.log.QuotaBenchmarkSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.roles.logunit.options.UnitMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "quota",
    description = {
      "Measures a tenant's appends beside a greedy tenant, which has a quota or none.",
      "The limit of the latencies is the median of the same appends alone."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench quota",
      "  corfu bench quota --appends-per-second 500 --rounds 10 --json"
    })
final class BenchQuotaCommand implements Callable<Integer> {

  private static final int LONE_BYTES = 256;

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "memory",
      description = "durable, buffered or memory (default: ${DEFAULT-VALUE}).")
  private UnitMode mode = UnitMode.MEMORY;

  @Mixin private final EntrySizeOption size = new EntrySizeOption(4096);

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "In-flight appends of the greedy tenant, 2 or more (default: ${DEFAULT-VALUE}).")
  private int depth = 256;

  @Option(
      names = "--appends-per-second",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Quota of the greedy tenant (default: ${DEFAULT-VALUE}).")
  private long appendsPerSecond = 2_000;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "2",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int replicas = 2;

  @Mixin private final RoundOptions turns = new RoundOptions();

  BenchQuotaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("quota", terminal, style, this::settings, QuotaBenchmark::measure);
  }

  private QuotaBenchmarkSettings settings() {
    return new QuotaBenchmarkSettings(
        mode,
        size.sizeBytes(),
        depth,
        appendsPerSecond,
        LONE_BYTES,
        replicas,
        turns.rounds(),
        turns.round());
  }
}
