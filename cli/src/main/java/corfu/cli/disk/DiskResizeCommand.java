package corfu.cli.disk;

import corfu.cli.argument.ByteCount;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskStatus;
import corfu.disk.IfSmaller;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "resize",
    description = {
      "Sets the size of a disk.",
      "A server offers a larger size within a second, and tells clients that listen for it. A disk"
          + " shrinks only with --shrink, and only while no server writes it."
    },
    footer = {"", "Example:", "  corfu disk resize vm --size 20GiB --dir /tmp/c"})
final class DiskResizeCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final TakeoverOption takeover = new TakeoverOption();

  @Parameters(paramLabel = "NAME", description = "Name of the disk.")
  private String name = "";

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      required = true,
      description = "New size, such as 20GiB; a multiple of the block's.")
  private ByteCount size = new ByteCount(0);

  @Option(names = "--shrink", description = "Cut off the end of the disk if the size is smaller.")
  private boolean shrink;

  DiskResizeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var session = DiskSession.open(connection)) {
      DiskStatus resized =
          DiskSession.valueOf(
              () ->
                  session
                      .disks()
                      .resize(
                          name,
                          size.bytes(),
                          shrink ? IfSmaller.SHRINK : IfSmaller.REFUSE,
                          takeover.ifInUse()));
      style.print(
          terminal,
          "disk %s has %d bytes now".formatted(name, resized.sizeBytes()),
          json -> {
            json.writeStringField("name", name);
            json.writeNumberField("sizeBytes", resized.sizeBytes());
          });
      return ExitCode.OK;
    }
  }
}
