package corfu.cli.silver;

import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.silver.SilverFileSystem;
import corfu.silver.mount.SilverMount;
import corfu.silver.mount.SilverMountOptions;
import corfu.silver.mount.SilverMountOptions.Consistency;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "mount",
    description = {
      "Mounts a file system, or a version of its past, read-only.",
      "The command returns when the mount is usable. A background process serves it until you"
          + " unmount it, and logs to MOUNTPOINT.log."
    },
    footer = {
      "",
      "Examples:",
      "  corfu silver mount project /mnt/project --dir /tmp/c",
      "  corfu silver mount project@1200 /mnt/past --dir /tmp/c --foreground",
      "  corfu silver mount project /mnt/p --dir /tmp/c --consistency close"
    })
final class SilverMountCommand implements Callable<Integer> {

  /** The time that a machine may take to start a process. */
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME[@V]",
      description = "Name of the file system, with a version if it is a past one.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "MOUNTPOINT", description = "Empty directory.")
  private Path mountPoint = Path.of("");

  @Option(names = "--foreground", description = "Serve in this process until it is unmounted.")
  private boolean foreground;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Log file of the background process (default: MOUNTPOINT.log).")
  private Optional<Path> log = Optional.empty();

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      defaultValue = "strict",
      description =
          "strict: a write is in the log when it returns. close: writes wait in memory until the"
              + " file is closed or synced, or for a second (default: strict).")
  private Consistency consistency = Consistency.STRICT;

  SilverMountCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Target target = Target.parseWhole(name);
    if (foreground) {
      serve(target);
      return ExitCode.OK;
    }
    Path absolute = mountPoint.toAbsolutePath().normalize();
    FuseMount.check(absolute);
    Path logFile = log.orElseGet(() -> Path.of(absolute + ".log"));
    List<String> options = new ArrayList<>(connection.arguments());
    options.addAll(List.of("--consistency", consistency.name().toLowerCase(Locale.ROOT)));
    Duration limit = connection.options().operationTimeout().multipliedBy(4).plus(START_LIMIT);
    long process = new MountProcess(target, absolute, logFile, limit).start(options);
    print(target, process);
    return ExitCode.OK;
  }

  private void serve(Target target) throws MountException {
    Logging.talkative();
    try (var world = new RealWorld();
        var session = Session.open(connection)) {
      SilverFileSystem files = session.open(target);
      SilverMount mount =
          SilverMount.mount(
              world,
              session.silver(),
              files,
              target.toString(),
              mountPoint,
              SilverMountOptions.DEFAULT
                  .with(consistency)
                  .withTimeout(connection.options().operationTimeout()));
      Thread hook = new Thread(() -> unmount(mount), "shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      print(target, ProcessHandle.current().pid());
      mount.end().join();
      remove(hook);
    }
  }

  private static void remove(Thread hook) {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // the hook has unmounted
    }
  }

  private void unmount(SilverMount mount) {
    try {
      mount.close();
    } catch (MountException failed) {
      terminal.note("corfu: " + failed.getMessage());
    }
  }

  private void print(Target target, long process) {
    style.print(
        terminal,
        "%s is mounted on %s (process %d)".formatted(target, mountPoint, process),
        json -> {
          json.writeStringField("name", target.toString());
          json.writeStringField("mountPoint", mountPoint.toString());
          json.writeNumberField("process", process);
        });
  }
}
