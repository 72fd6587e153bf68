package corfu.cli;

import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "store",
    description = "A key-value store over the log, with an HTTP server.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example:", "  corfu store serve --dir /tmp/c --port 9100"})
final class StoreCommand implements Commands.CommandGroup {

  StoreCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  private boolean help;

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(new StoreServeCommand(terminal));
  }
}
