package corfu.cli.server;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "store",
    description = "Serves a key-value store over the log by HTTP.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example:", "  corfu store serve --dir /tmp/c --port 9100"})
public final class StoreCommand implements CommandGroup {

  public StoreCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(new StoreServeCommand(terminal));
  }
}
