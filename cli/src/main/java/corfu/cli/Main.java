package corfu.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The {@code corfu} command. Each subcommand is a class of its own, listed here. */
@Command(
    name = "corfu",
    description = "A distributed shared log.",
    version = "corfu 0.1.0-SNAPSHOT",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = HelpCommand.class)
public final class Main implements Runnable {

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  /** Runs when no subcommand was named. */
  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
