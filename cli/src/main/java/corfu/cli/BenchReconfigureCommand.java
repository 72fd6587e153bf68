package corfu.cli;

import corfu.bench.Finding;
import corfu.bench.ReconfigureBenchmark;
import corfu.bench.ReconfigureSettings;
import corfu.node.local.JavaCommand;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "reconfigure",
    description = {
      "Measures what a change of the layout costs, and prints the machine's own part beside it.",
      "stages: renewals of the layout of 8 log units with 2 replicas, step by step, without load"
          + " and while somebody appends. failures: a log unit's server, and the sequencer's, are"
          + " killed; how long until the next append, and how long reads of other units wait."
          + " rebuild: copies of a segment to a new unit, as fast as can be beside a stream of"
          + " writes, and appends beside a copy at the speed it has by default. fill: holes that a"
          + " reader fills.",
      "best is what the round trips and syncs that cannot be done without took, one after the"
          + " other, in the same run; ratio is its part of the median."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench reconfigure --rounds 200 --part stages",
      "  corfu bench reconfigure --part failures --kills 8 --plot failure.svg"
    })
final class BenchReconfigureCommand implements Callable<Integer> {

  private static final String ROW = "%-9s %-48s %6s %12s %12s %12s %12s %7s";

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}, or several (default: all).")
  private Set<ReconfigureSettings.Part> parts = Set.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Renewals of the layout, with and without load (default: ${DEFAULT-VALUE}).")
  private int rounds = 100;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often each kind of server is killed (default: ${DEFAULT-VALUE}).")
  private int kills = 5;

  @Option(
      names = "--fills",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Holes filled in each mode (default: ${DEFAULT-VALUE}).")
  private int fills = 2000;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rebuilds of each kind (default: ${DEFAULT-VALUE}).")
  private int copies = 5;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draws the first log unit's death: appends and reads over time, as SVG.")
  private Optional<Path> plot = Optional.empty();

  BenchReconfigureCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var out = new Output(terminal.out())) {
      var settings = settings();
      if (!style.json()) {
        out.line(
            ROW.formatted(
                "part", "what", "count", "p50 ms", "p99 ms", "longest ms", "best ms", "ratio"));
        out.flush();
      }
      ReconfigureBenchmark.measure(
          settings,
          JavaCommand.likeThisProcess(Main.class.getName()),
          finding -> {
            print(out, finding);
            out.flush();
          });
      return ExitCode.OK;
    }
  }

  private ReconfigureSettings settings() {
    try {
      return new ReconfigureSettings(parts, rounds, kills, fills, copies, plot);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void print(Output out, Finding finding) {
    switch (finding) {
      case Finding.Times times when style.json() -> printJson(out, times);
      case Finding.Rate rate when style.json() -> printJson(out, rate);
      case Finding.Times times ->
          out.line(
              ROW.formatted(
                  times.part(),
                  times.what(),
                  times.count(),
                  millis(times.p50Millis()),
                  millis(times.p99Millis()),
                  millis(times.maxMillis()),
                  times.machineMillis().isPresent()
                      ? millis(times.machineMillis().getAsDouble())
                      : "",
                  ratio(times.ratio())));
      case Finding.Rate rate ->
          out.line(
              "%-9s %s: %,.0f %s/s; %s: %,.0f; ratio %.3f"
                  .formatted(
                      rate.part(),
                      rate.what(),
                      rate.perSecond(),
                      rate.unit(),
                      rate.limit(),
                      rate.limitPerSecond(),
                      rate.ratio()));
    }
  }

  private static String millis(double millis) {
    return "%,.3f".formatted(millis);
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? "%.3f".formatted(ratio.getAsDouble()) : "";
  }

  private static void printJson(Output out, Finding.Times times) {
    out.json(
        json -> {
          json.writeStringField("benchmark", "reconfigure/" + times.part());
          json.writeStringField("what", times.what());
          json.writeNumberField("count", times.count());
          json.writeNumberField("p50Millis", times.p50Millis());
          json.writeNumberField("p99Millis", times.p99Millis());
          json.writeNumberField("maxMillis", times.maxMillis());
          if (times.machineMillis().isPresent()) {
            json.writeNumberField("bestMillis", times.machineMillis().getAsDouble());
            json.writeNumberField("ratio", times.ratio().orElseThrow());
          }
        });
  }

  private static void printJson(Output out, Finding.Rate rate) {
    out.json(
        json -> {
          json.writeStringField("benchmark", "reconfigure/" + rate.part());
          json.writeStringField("what", rate.what());
          json.writeStringField("unit", rate.unit());
          json.writeNumberField("perSecond", rate.perSecond());
          json.writeStringField("limitName", rate.limit());
          json.writeNumberField("limitPerSecond", rate.limitPerSecond());
          json.writeNumberField("ratio", rate.ratio());
        });
  }
}
