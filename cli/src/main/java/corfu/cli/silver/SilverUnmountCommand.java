package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "unmount",
    description = {
      "Unmounts a file system. The process that serves it ends.",
      "This works for the mount of a killed process, too."
    },
    footer = {"", "Example:", "  corfu silver unmount /mnt/project"})
final class SilverUnmountCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "MOUNTPOINT", description = "Directory of the mount.")
  private Path mountPoint = Path.of("");

  @Option(
      names = "--detach",
      description = "Detach a mount that is in use. It ends when its last user has closed it.")
  private boolean detach;

  SilverUnmountCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws MountException {
    FuseMount.unmount(mountPoint, detach);
    style.print(
        terminal,
        "unmounted " + mountPoint,
        json -> json.writeStringField("mountPoint", mountPoint.toString()));
    return ExitCode.OK;
  }
}
