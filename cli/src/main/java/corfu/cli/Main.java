package corfu.cli;

import corfu.cli.command.Failures;
import corfu.cli.output.Terminal;
import picocli.CommandLine;

/** The {@code corfu} command. */
public final class Main {

  private static final int USAGE_COLUMNS = 100;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(Terminal.ofThisProcess(), arguments));
  }

  /** Runs one command and returns its exit status; everything it touches is in the terminal. */
  public static int run(Terminal terminal, String... arguments) {
    CommandLine commands = Commands.commandLine(terminal, arguments);
    Failures failures = new Failures();
    commands.setExecutionExceptionHandler(failures);
    commands.setParameterExceptionHandler(failures);
    commands.setOut(terminal.outWriter());
    commands.setErr(terminal.errWriter());
    commands.setUsageHelpWidth(USAGE_COLUMNS);
    return commands.execute(arguments);
  }
}
