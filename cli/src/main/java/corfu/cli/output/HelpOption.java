package corfu.cli.output;

import picocli.CommandLine.Option;

/** What every command understands. */
public final class HelpOption {

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  private boolean isWanted;
}
