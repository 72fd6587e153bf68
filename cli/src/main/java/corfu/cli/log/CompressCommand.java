package corfu.cli.log;

import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "compress",
    description = {
      "Compresses old entries on the disks of all log units.",
      "Entries stay readable. Reads of compressed entries take some 0.1 ms longer.",
      "Log units compress whole log files, in their own time. An interrupted command does not"
          + " stop them."
    },
    footer = {
      "",
      "Examples:",
      "  corfu compress --dir /tmp/c                  the log up to its present end",
      "  corfu compress --before 1000 --dir /tmp/c    the log below address 1000"
    })
public final class CompressCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final CompressionWait wait = new CompressionWait();

  @Option(
      names = "--before",
      paramLabel = "ADDRESS",
      description = "Log address below which the log is compressed; default: the tail.")
  private Optional<Address> before = Optional.empty();

  public CompressCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var corfu = connection.connect()) {
      Address end = before.orElseGet(corfu.log()::tail);
      return wait.compress(corfu.log(), end, terminal, style);
    }
  }
}
