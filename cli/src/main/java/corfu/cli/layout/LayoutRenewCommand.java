package corfu.cli.layout;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "renew",
    description = {
      "Installs the same layout again in the next epoch.",
      "It is needed in clusters without agents, after a restart of the sequencer or an unfinished"
          + " reconfiguration. At any other time it does no harm."
    },
    footer = {"", "Example:", "  corfu layout renew --dir /tmp/c"})
final class LayoutRenewCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  LayoutRenewCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var admin = connection.admin()) {
      long epoch = admin.renew().epoch().value();
      style.print(
          terminal,
          "epoch %d serves".formatted(epoch),
          json -> json.writeNumberField("epoch", epoch));
      return ExitCode.OK;
    }
  }
}
