package corfu.cli.bench;

import corfu.bench.log.TlsBenchmark;
import corfu.bench.log.TlsBenchmarkSettings;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.roles.logunit.options.UnitMode;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tls",
    description = {
      "Measures the price of TLS: a flood of appends and lone appends, with and without it.",
      "Two clusters take turns, one with mutual TLS. The limit of each figure with TLS is the same"
          + " figure without it."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench tls",
      "  corfu bench tls --part handshakes",
      "  corfu bench tls --mode durable --rounds 10 --json"
    })
final class BenchTlsCommand implements Callable<Integer> {

  private static final int LONE_BYTES = 256;

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      defaultValue = "appends,permissions,handshakes",
      description = "appends, permissions, handshakes (default: ${DEFAULT-VALUE}).")
  private Set<TlsBenchmarkSettings.Part> parts = Set.of();

  @Option(
      names = "--handshakes",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Failing handshakes a second, 1 or more (default: ${DEFAULT-VALUE}).")
  private int handshakes = 10_000;

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
      description = "In-flight appends of the flood, 2 or more (default: ${DEFAULT-VALUE}).")
  private int depth = 256;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      defaultValue = "2",
      description = "Copies of each entry (default: ${DEFAULT-VALUE}).")
  private int replicas = 2;

  @Mixin private final RoundOptions turns = new RoundOptions();

  BenchTlsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return BenchRun.of("tls", terminal, style, this::settings, TlsBenchmark::measure);
  }

  private TlsBenchmarkSettings settings() {
    return new TlsBenchmarkSettings(
        parts,
        mode,
        size.sizeBytes(),
        depth,
        LONE_BYTES,
        replicas,
        handshakes,
        turns.rounds(),
        turns.round());
  }
}
