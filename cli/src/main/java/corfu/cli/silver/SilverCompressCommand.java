package corfu.cli.silver;

import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.CompressionWait;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "compress",
    description = {
      "Compresses the log below a version, on the disks of all log units.",
      "That is the past of everything in the cluster, not only of this file system. All versions"
          + " stay readable; reads of the past take some 0.1 ms longer.",
    },
    footer = {
      "",
      "Examples:",
      "  corfu silver compress project --dir /tmp/c       all versions up to now",
      "  corfu silver compress project@25 --dir /tmp/c    versions up to 25"
    })
final class SilverCompressCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final CompressionWait wait = new CompressionWait();

  @Parameters(
      paramLabel = "NAME[@V]",
      description = "Name of the file system, with a version if it is a past one.")
  private String name = "";

  SilverCompressCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Target target = Target.parseWhole(name);
    try (var session = Session.open(connection)) {
      var unused = session.open(target); // fails if there is no such file system or version
      Address version = target.version().orElseGet(session.silver()::version);
      return wait.compress(session.corfu().log(), version, terminal, style);
    }
  }
}
