package corfu.cli;

import corfu.cli.command.Failures;
import corfu.cli.output.Terminal;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The {@code corfu} command. */
public final class Main {

  /** The width of help where the output is not a terminal. */
  private static final int USUAL_COLUMNS = 80;

  /** Narrower help would break words, and wider lines are hard to read. */
  private static final int NARROWEST_COLUMNS = 60;

  private static final int WIDEST_COLUMNS = 120;

  private static final Set<String> HELP = Set.of("--help", "-h", "help");

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(Terminal.ofThisProcess(), arguments));
  }

  /** Runs one command on the streams of a terminal, and returns its exit status. */
  public static int run(Terminal terminal, String... arguments) {
    CommandLine commands = RootCommand.commandLine(terminal, arguments);
    Failures failures = new Failures();
    commands.setExecutionExceptionHandler(failures);
    commands.setParameterExceptionHandler(failures);
    commands.setOut(terminal.outWriter());
    commands.setErr(terminal.errWriter());
    if (arguments.length == 0 || Stream.of(arguments).anyMatch(HELP::contains)) {
      commands.setUsageHelpWidth(columns(terminal));
    }
    return commands.execute(arguments);
  }

  private static int columns(Terminal terminal) {
    int columns = terminal.columns().getAsInt();
    return columns == 0 ? USUAL_COLUMNS : Math.clamp(columns, NARROWEST_COLUMNS, WIDEST_COLUMNS);
  }
}
