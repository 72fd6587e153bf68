package corfu.cli.output;

import picocli.CommandLine.Option;

/** The option for help, which every command has. */
public final class HelpOption {

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  private boolean isWanted;
}
