package corfu.cli.zookeeper;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.smr.HistoryForgottenException;
import corfu.zookeeper.transfer.NamespaceExport;
import corfu.zookeeper.transfer.TransferSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = {
      "Writes a namespace as a snapshot from which an Apache ZooKeeper server starts.",
      "Servers of the namespace may run meanwhile. Nothing in the log changes."
    },
    footer = {
      "",
      "Examples:",
      "  corfu zookeeper export --dir /tmp/c /var/lib/zookeeper",
      "  corfu zookeeper export --dir /tmp/c /var/lib/zookeeper --at 1200"
    })
final class ZooKeeperExportCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final NamespaceOption namespace = new NamespaceOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "DATA-DIR",
      description =
          "The dataDir of the new server. Its directory version-2 must be missing or empty.")
  private Path dataDir = Path.of("");

  @Option(
      names = "--at",
      paramLabel = "ADDRESS",
      description =
          "Log address below which all changes are exported, 0 or more (default: the end of the"
              + " log).")
  private Optional<Address> at = Optional.empty();

  ZooKeeperExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (Corfu corfu = connection.connect()) {
      TransferSummary summary = NamespaceExport.run(corfu, namespace.value(), at, dataDir);
      TransferPrinter.print(terminal, style, namespace.value(), "exported to " + dataDir, summary);
      return ExitCode.OK;
    } catch (IOException | IllegalArgumentException | HistoryForgottenException failure) {
      throw new CommandException(
          ExitCode.FAILED,
          "cannot export namespace %s: %s".formatted(namespace.value(), failure.getMessage()),
          failure);
    }
  }
}
