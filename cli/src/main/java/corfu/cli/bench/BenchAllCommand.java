package corfu.cli.bench;

import corfu.bench.report.Document;
import corfu.bench.report.Suite;
import corfu.bench.report.SuiteStep;
import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import corfu.world.RealWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "all",
    description = {
      "Runs all benchmarks, each in a process of its own. Keeps their results in docs/figures, and"
          + " writes the tables and pictures of docs/performance.md and docs/performance/*.md anew"
          + " from these results. The text outside of the markers does not change.",
      "If a benchmark fails, or if no time is left for it, its former figures stay. The command"
          + " names these benchmarks at the end and returns a status other than 0. Other systems"
          + " take part only with --peers: they need more time than all other benchmarks."
    },
    footer = {
      "",
      "Examples:",
      "  corfu bench all --quick",
      "  corfu bench all --quick --only overload,scaling",
      "  corfu bench all --tables"
    })
final class BenchAllCommand implements Callable<Integer> {

  private static final String HOME = "corfu.home";
  private static final Duration QUICK = Duration.ofMinutes(15);
  private static final Duration THOROUGH = Duration.ofHours(3);
  private static final Duration PEERS = Duration.ofHours(1);

  private final Terminal terminal;

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--quick",
      description = "Short rounds: at most 15 minutes (with --peers, an hour more).")
  private boolean isQuick;

  @Option(names = "--peers", description = "Other systems, too: see corfu bench peers --help.")
  private boolean withPeers;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Runs only these; names are the names of the files in docs/figures.")
  private Set<String> only = Set.of();

  @Option(
      names = "--tables",
      description = "Runs nothing; writes tables and pictures from the kept results.")
  private boolean onlyTables;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "The first page (default: docs/performance.md). Figures are kept beside it, in figures;"
              + " further pages are in the directory of its name.")
  private Optional<Path> page = Optional.empty();

  BenchAllCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path shown = page.orElseGet(BenchAllCommand::usualPage);
    if (!Files.exists(shown)) {
      throw new CommandException(ExitCode.USAGE, "there is no page %s".formatted(shown));
    }
    Path figures = shown.resolveSibling("figures");
    List<SuiteStep> all = SuiteStep.all(isQuick, true);
    List<SuiteStep> wanted = wanted();
    try (var world = new RealWorld();
        var out = new CommandOutput(terminal.out())) {
      List<Suite.Missing> missing = onlyTables ? List.of() : run(world, figures, wanted, out);
      for (String problem : new Document(shown, figures).update(onlyTables ? all : wanted)) {
        say(out, problem);
      }
      missing.forEach(
          each -> say(out, "not run: %s: %s".formatted(each.step().command(), each.why())));
      say(out, "wrote " + shown);
      return missing.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    } catch (UncheckedIOException e) {
      throw new CommandException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private List<Suite.Missing> run(
      RealWorld world, Path figures, List<SuiteStep> wanted, CommandOutput out)
      throws IOException, InterruptedException {
    var java = CorfuProgram.command();
    Duration limit = (isQuick ? QUICK : THOROUGH).plus(withPeers ? PEERS : Duration.ZERO);
    return new Suite(world, java, figures, line -> say(out, line)).run(wanted, limit);
  }

  private static void say(CommandOutput out, String line) {
    out.line(line);
    out.flush();
  }

  private List<SuiteStep> wanted() {
    List<SuiteStep> steps = SuiteStep.all(isQuick, withPeers);
    List<String> names = steps.stream().map(SuiteStep::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw new CommandException(
            ExitCode.USAGE,
            "there is no benchmark '%s': name some of %s"
                .formatted(name, String.join(", ", names)));
      }
    }
    return steps.stream().filter(step -> only.isEmpty() || only.contains(step.name())).toList();
  }

  private static Path usualPage() {
    Path home = Path.of(Optional.ofNullable(System.getProperty(HOME)).orElse(""));
    return home.resolve("docs/performance.md");
  }
}
