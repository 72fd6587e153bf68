package corfu.cli.silver;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.silver.ship.Shipped;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "receive",
    description =
        "Makes a file system of an archive that corfu silver ship has written. Until the archive is"
            + " complete, its name is NAME.part.",
    footer = {"", "Example:", "  corfu silver receive /backup/project.tar.gz project --dir /tmp/c"})
final class SilverReceiveCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(index = "0", paramLabel = "FILE", description = "The archive.")
  private Path file = Path.of("");

  @Parameters(index = "1", paramLabel = "NAME", description = "Name of the new file system.")
  private String name = "";

  SilverReceiveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Target target = Target.parseNewest(name);
    try (InputStream archive = new BufferedInputStream(Files.newInputStream(file));
        var session = Session.open(connection)) {
      Shipped received =
          new Receiver(session.silver(), target)
              .receive(archive, new Progress(terminal, "received"));
      style.print(
          terminal,
          "received %s from %s: %,d names, %,d bytes"
              .formatted(target, file, received.names(), received.bytes()),
          json -> {
            json.writeStringField("name", target.name());
            json.writeNumberField("names", received.names());
            json.writeNumberField("bytes", received.bytes());
          });
      return ExitCode.OK;
    } catch (NoSuchFileException e) {
      throw new CommandException(
          ExitCode.FAILED, "there is no file %s; corfu silver ship writes one".formatted(file));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.FAILED, "%s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }
}
