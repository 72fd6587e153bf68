package corfu.cli.disk;

import corfu.cli.argument.ByteCount;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "create",
    description = "Creates an empty disk. It takes no space until it is written.",
    footer = {"", "Example:", "  corfu disk create vm --size 10GiB --dir /tmp/c"})
final class DiskCreateCommand implements Callable<Integer> {

  private static final int MOST_BLOCK_BYTES = 64 << 10;

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the disk.")
  private String name = "";

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      required = true,
      description = "Size, such as 10GiB; a multiple of the block's.")
  private ByteCount size = new ByteCount(0);

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      defaultValue = "4KiB",
      description =
          "Size of a block, a power of two from 512 to 64KiB. A crash never tears a block that was"
              + " written whole (default: ${DEFAULT-VALUE}).")
  private ByteCount block = new ByteCount(4096);

  DiskCreateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (block.bytes() > MOST_BLOCK_BYTES) {
      throw new CommandException(
          ExitCode.USAGE, "a block has at most 64 KiB, not %d bytes".formatted(block.bytes()));
    }
    try (var session = DiskSession.open(connection)) {
      DiskStatus made =
          DiskSession.valueOf(
              () -> session.disks().create(name, size.bytes(), (int) block.bytes()));
      style.print(
          terminal,
          "created disk %s of %d bytes".formatted(made.name(), made.sizeBytes()),
          json -> {
            json.writeStringField("name", made.name());
            json.writeNumberField("sizeBytes", made.sizeBytes());
            json.writeNumberField("blockBytes", made.blockBytes());
            json.writeStringField("stream", made.stream().toString());
          });
      return ExitCode.OK;
    }
  }
}
