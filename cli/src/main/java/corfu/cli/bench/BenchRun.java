package corfu.cli.bench;

import corfu.bench.harness.PartResult;
import corfu.cli.command.CommandException;
import corfu.cli.command.CorfuProgram;
import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.local.JavaCommand;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs a benchmark with findings, and prints each as it arrives. */
final class BenchRun {

  private BenchRun() {}

  /** The method that runs a benchmark. */
  @FunctionalInterface
  interface Measuring<S> {
    void measure(S settings, JavaCommand java, Consumer<PartResult> results);
  }

  /**
   * Measures and prints.
   *
   * @param settings returns the settings, or throws {@link IllegalArgumentException} if the options
   *     are invalid
   */
  static <S> int of(
      String name,
      Terminal terminal,
      OutputOptions style,
      Supplier<S> settings,
      Measuring<S> benchmark) {
    try (var out = new CommandOutput(terminal.out())) {
      S checked = checked(settings);
      var findings = new FindingPrinter(name, style.json(), out);
      findings.header();
      benchmark.measure(checked, CorfuProgram.command(), findings::print);
      return ExitCode.OK;
    }
  }

  private static <S> S checked(Supplier<S> settings) {
    try {
      return settings.get();
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
