package corfu.cli.stream;

import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "tail",
    description = "Prints the stream address behind the stream's last entry.",
    footer = {"", "Example:", "  corfu stream tail --stream orders --dir /tmp/c"})
final class StreamTailCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final StreamOptions stream = new StreamOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  StreamTailCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var corfu = stream.connect()) {
      long tail = stream.open(corfu).tail().value();
      style.print(
          terminal,
          Long.toString(tail),
          json -> {
            json.writeStringField("stream", stream.name().text());
            json.writeNumberField("tail", tail);
          });
      if (tail == 0) {
        terminal.note(
            "corfu: no stream %s is known: nothing has been appended to it"
                .formatted(stream.name()));
      }
      return ExitCode.OK;
    }
  }
}
