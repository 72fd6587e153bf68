package corfu.cli.connection;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.node.local.LocalCluster;
import corfu.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the directory of a cluster on this machine. */
public final class ClusterDirectory {

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "Directory of the cluster on this machine.")
  private Path directory = Path.of(".");

  public LocalCluster cluster(World world) {
    return at(directory, world);
  }

  /** Returns the cluster of a directory, which may not exist yet. */
  static LocalCluster at(Path directory, World world) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--dir names a cluster's directory, but %s is a file".formatted(directory));
    }
    return LocalCluster.at(directory, world);
  }
}
