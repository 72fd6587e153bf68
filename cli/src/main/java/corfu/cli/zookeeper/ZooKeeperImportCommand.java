package corfu.cli.zookeeper;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.runtime.Corfu;
import corfu.smr.MachineNotEmptyException;
import corfu.zookeeper.transfer.NamespaceImport;
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
    name = "import",
    description = {
      "Begins a namespace with the data of an Apache ZooKeeper server.",
      "It reads the newest snapshot and the transaction logs behind it. Stop the ensemble first, or"
          + " later changes are missing. Sessions stay valid, with their ephemeral nodes."
    },
    footer = {
      "",
      "Examples:",
      "  corfu zookeeper import --dir /tmp/c /var/lib/zookeeper",
      "  corfu zookeeper import --dir /tmp/c /data/zk --log-dir /log/zk"
    })
final class ZooKeeperImportCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final NamespaceOption namespace = new NamespaceOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "DATA-DIR",
      description = "The server's dataDir: the directory that has the directory version-2.")
  private Path dataDir = Path.of("");

  @Option(
      names = "--log-dir",
      paramLabel = "LOG-DIR",
      description = "The server's dataLogDir, if its transaction logs are in another directory.")
  private Optional<Path> logDir = Optional.empty();

  ZooKeeperImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (Corfu corfu = connection.connect()) {
      TransferSummary summary =
          NamespaceImport.run(corfu, namespace.value(), dataDir, logDir.orElse(dataDir));
      TransferPrinter.print(
          terminal, style, namespace.value(), "imported from " + dataDir, summary);
      return ExitCode.OK;
    } catch (MachineNotEmptyException used) {
      throw new CommandException(
          ExitCode.FAILED,
          "namespace %s is in use already; choose another name with --namespace"
              .formatted(namespace.value()),
          used);
    } catch (IOException failure) {
      throw new CommandException(
          ExitCode.FAILED,
          "cannot import %s: %s".formatted(dataDir, failure.getMessage()),
          failure);
    }
  }
}
