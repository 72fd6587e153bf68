package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.ship.Shipped;
import corfu.silver.ship.TreeWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "ship",
    description = {
      "Writes a version of a file system to a file, or makes it a file system of another cluster.",
      "The file is an archive of tar and gzip: corfu silver receive makes a file system of it, and"
          + " tar reads it, too. Earlier versions are not in it. To keep all versions at another"
          + " place, mirror the cluster: corfu mirror."
    },
    footer = {
      "",
      "Examples:",
      "  corfu silver ship project@1200 /backup/project.tar.gz --dir /tmp/c",
      "  corfu silver ship project --to-servers other:9000 --as copy --dir /tmp/c"
    })
final class SilverShipCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME[@V]",
      description = "Name of the file system, with a version if it is a past one.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to write, which must not exist.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--to-servers",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Servers of another cluster, instead of a file.")
  private List<String> servers = List.of();

  @Option(
      names = "--as",
      paramLabel = "NEW",
      description = "Name of the file system in the other cluster (default: NAME).")
  private Optional<String> as = Optional.empty();

  SilverShipCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseWhole(name);
    if (file.isPresent() == !servers.isEmpty() || (as.isPresent() && servers.isEmpty())) {
      throw new CommandException(
          ExitCode.USAGE, "name either a FILE, or another cluster by --to-servers");
    }
    try (var session = Session.open(connection)) {
      Address version = target.version().orElseGet(session.silver()::version);
      Target shipped = new Target(target.name(), List.of(), Optional.of(version));
      SilverFileSystem files = session.open(shipped);
      Progress progress = new Progress(terminal, "shipped");
      Shipped done =
          file.isPresent()
              ? toFile(files, file.get(), progress)
              : toCluster(files, as.orElse(target.name()), progress);
      String where = file.map(Path::toString).orElseGet(() -> String.join(",", servers));
      style.print(
          terminal,
          "shipped %s to %s: %,d names, %,d bytes"
              .formatted(shipped, where, done.names(), done.bytes()),
          json -> {
            json.writeStringField("source", shipped.toString());
            json.writeStringField("target", where);
            json.writeNumberField("names", done.names());
            json.writeNumberField("bytes", done.bytes());
          });
      return ExitCode.OK;
    }
  }

  private static Shipped toFile(SilverFileSystem files, Path file, Progress progress) {
    try (OutputStream out =
        new BufferedOutputStream(
            Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      return TreeWriter.write(files, out, progress);
    } catch (FileAlreadyExistsException e) {
      throw new CommandException(
          ExitCode.FAILED, "%s exists already; name another file".formatted(file));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.FAILED, "%s is not complete, remove it: %s".formatted(file, e.getMessage()));
    }
  }

  private Shipped toCluster(SilverFileSystem files, String newName, Progress progress) {
    Target target = Target.parseNewest(newName);
    try (Corfu other = Corfu.connect(connection.optionsTo(endpoints()));
        Silver silver = Silver.over(other);
        var pipe = new ShipmentPipe(files)) {
      return new Receiver(silver, target).receive(pipe.open(), progress);
    }
  }

  private List<Endpoint> endpoints() {
    try {
      return servers.stream().map(Endpoint::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, "--to-servers: " + e.getMessage());
    }
  }
}
