package corfu.cli.disk;

import corfu.cli.command.CommandGroup;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "disk",
    description = {
      "Manages virtual disks, and serves them to virtual machines and hosts by NBD.",
      "Snapshots and clones cost one entry of the log, whatever the size. NAME@V is a disk as it"
          + " was, read-only: V is the name of a snapshot, or a version, which is a log address."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  corfu disk create vm --size 10GiB --dir /tmp/c",
      "  corfu disk serve --port 10809 --dir /tmp/c",
      "  qemu-img convert -n -O raw image.qcow2 nbd://localhost/vm",
      "  corfu disk snapshot vm fresh --dir /tmp/c",
      "  corfu disk clone vm@fresh vm2 --dir /tmp/c"
    })
public final class DiskCommand implements CommandGroup {

  public DiskCommand(Terminal terminal) {}

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public Collection<Object> subcommands(Terminal terminal) {
    return List.of(
        new DiskCreateCommand(terminal),
        new DiskServeCommand(terminal),
        new DiskListCommand(terminal),
        new DiskResizeCommand(terminal),
        new DiskSnapshotCommand(terminal),
        new DiskCloneCommand(terminal),
        new DiskRollBackCommand(terminal),
        new DiskDeleteCommand(terminal),
        new DiskHistoryCommand(terminal),
        new DiskDemoCommand(terminal));
  }
}
