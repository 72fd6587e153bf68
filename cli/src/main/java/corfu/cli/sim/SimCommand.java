package corfu.cli.sim;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.SimulationReport;
import corfu.sim.Work;
import corfu.sim.fault.Fault;
import corfu.sim.fault.FaultRate;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "sim",
    description = {
      "Simulates whole clusters with faults, and checks their guarantees.",
      "Each run starts real servers and clients in a simulated world. One seed decides the network,"
          + " the disks, the faults and every delay. Then the run checks each reply that clients"
          + " and servers received. A failed run prints its seed, its last events, and the command"
          + " that repeats it. The exit status is 0 only if no run failed."
    },
    footer = {
      "",
      "Plans: all, none, network, process, storage, reconfiguration, or names of faults",
      "and plans with commas between them. docs/fault-model.md explains the faults.",
      "",
      "Examples:",
      "  corfu sim --runs 1000",
      "  corfu sim --minutes 60 --seed 100000 --plan network,kill-server",
      "  corfu sim --seed 42 --runs 1 --trace"
    })
public final class SimCommand implements Callable<Integer> {

  private static final int DEFAULT_RUNS = 100;

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description =
          "Seed of the first run; each further run has the next seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Number of runs (default: " + DEFAULT_RUNS + ").")
  private Optional<Long> runs = Optional.empty();

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "Duration in minutes; the simulation ends earlier after --runs runs.")
  private Optional<Double> minutes = Optional.empty();

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      defaultValue = "all",
      description = "Faults to inject (default: ${DEFAULT-VALUE}).")
  private String plan = "all";

  @Option(
      names = "--work",
      paramLabel = "WORK",
      defaultValue = "any",
      description =
          "Clients' work: log, objects, collections or composed; any means log or objects, by the"
              + " seed (default: ${DEFAULT-VALUE}).")
  private String work = "any";

  @Option(
      names = "--pace",
      paramLabel = "PACE",
      defaultValue = "varied",
      description =
          "Pace of the faults: varied, by the seed; or slow, one every few seconds, for a minute"
              + " (default: ${DEFAULT-VALUE}).")
  private String pace = "varied";

  @Option(names = "--trace", description = "Print every event.")
  private boolean trace;

  public SimCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Logging.silent();
    Set<Fault> faults = faults();
    SimTally tally = new SimTally();
    long started = System.nanoTime();
    try (var out = new CommandOutput(terminal.out());
        var progress = new SimProgress(terminal, tally)) {
      SimulationOptions options =
          SimulationOptions.DEFAULT.withFaults(faults).withWork(work()).withPace(pace());
      if (trace) {
        options = options.withTrace(1, out::line);
      }
      for (long run = 0; run < mostRuns() && isTimeLeft(started); run++) {
        SimulationReport report = Simulation.run(seed + run, options);
        tally.add(report);
        if (!report.isClean()) {
          progress.clear();
          print(out, report);
          out.flush();
        }
      }
      progress.clear();
      summarize(out, tally, Duration.ofNanos(System.nanoTime() - started));
    }
    return tally.failed() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private Set<Fault> faults() {
    try {
      return Fault.plan(plan);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private Work work() {
    try {
      return Work.named(work);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private FaultRate pace() {
    try {
      return FaultRate.named(pace);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private long mostRuns() {
    return runs.orElse(minutes.isPresent() ? Long.MAX_VALUE : DEFAULT_RUNS);
  }

  private boolean isTimeLeft(long started) {
    return minutes.isEmpty() || System.nanoTime() - started < minutes.get() * 60e9;
  }

  private String replay(SimulationReport report) {
    return "corfu sim --seed "
        + report.seed()
        + " --runs 1 --plan "
        + plan
        + workOption()
        + (pace.equals("varied") ? "" : " --pace " + pace)
        + " --trace";
  }

  private String workOption() {
    return work.equals("any") ? "" : " --work " + work;
  }

  private void print(CommandOutput out, SimulationReport report) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeNumberField("seed", report.seed());
            json.writeBooleanField("ok", false);
            json.writeStringField("cluster", report.arrangement());
            json.writeArrayFieldStart("violations");
            for (String violation : report.violations()) {
              json.writeString(violation);
            }
            json.writeEndArray();
            json.writeStringField("replay", replay(report));
          });
    } else {
      out.text(report.explain());
      out.line("seed " + report.seed() + " failed; to see all of it: " + replay(report));
      out.line("");
    }
  }

  private void summarize(CommandOutput out, SimTally tally, Duration elapsed) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeBooleanField("ok", tally.failed() == 0);
            json.writeNumberField("runs", tally.runs());
            json.writeNumberField("failed", tally.failed());
            json.writeNumberField("firstSeed", seed);
            json.writeNumberField("lastSeed", seed + tally.runs() - 1);
            json.writeNumberField("seconds", elapsed.toMillis() / 1000.0);
            json.writeNumberField("simulatedSeconds", tally.simulated().toMillis() / 1000.0);
            json.writeNumberField("events", tally.events());
            write(json, "faults", tally.faults());
            write(json, "operations", tally.operations());
            write(json, "reached", tally.reached());
          });
      return;
    }
    table(out, "operations checked", tally.operations());
    table(out, "faults injected", tally.faults());
    table(out, "points reached", tally.reached());
    out.line(
        "%,d runs, seeds %d to %d: %s simulated in %s, %,d events"
            .formatted(
                tally.runs(),
                seed,
                seed + tally.runs() - 1,
                SimTally.words(tally.simulated()),
                SimTally.words(elapsed),
                tally.events()));
    out.line(
        tally.failed() == 0
            ? "every promise was kept"
            : tally.failed() + " runs failed, with the seeds " + tally.failedSeeds());
  }

  private static void table(CommandOutput out, String title, Map<String, Long> counts) {
    out.line(title + ":");
    counts.forEach((name, times) -> out.line("  %-34s %,12d".formatted(name, times)));
  }

  private static void write(JsonGenerator json, String name, Map<String, Long> counts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (var count : counts.entrySet()) {
      json.writeNumberField(count.getKey(), count.getValue());
    }
    json.writeEndObject();
  }
}
