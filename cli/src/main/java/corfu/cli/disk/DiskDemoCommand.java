package corfu.cli.disk;

import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.disk.demo.DiskDemo;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.HelpOption;
import corfu.cli.output.Terminal;
import corfu.node.local.TemporaryDirectory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "demo",
    description = {
      "Demonstrates virtual disks.",
      "The demo starts a cluster inside this process, and writes a disk. It takes a snapshot,"
          + " clones it, takes the disk over with a second server, rolls it back, and checks every"
          + " byte. If nbdcopy, mkfs.ext4 and e2fsck are installed, an ext4 file system goes there"
          + " and back. If qemu-system-x86_64 is installed, a virtual machine boots from a disk and"
          + " from a clone. The exit status is 0 only if every check passes. The demo deletes its"
          + " files."
    },
    footer = {"", "Example:", "  corfu disk demo"})
final class DiskDemoCommand implements Callable<Integer> {

  private final Terminal terminal;

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Mixin
  private final HelpOption help = new HelpOption();

  DiskDemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Logging.silent();
    try (var directory = TemporaryDirectory.create("corfu-demo-");
        var out = new CommandOutput(terminal.out());
        var demo =
            new DiskDemo(
                directory.path(),
                line -> {
                  out.line(line);
                  out.flush();
                })) {
      demo.run();
    }
    return ExitCode.OK;
  }
}
