package corfu.cli.stream;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "trim",
    description = {
      "Deletes a stream's oldest entries for ever.",
      "It frees an entry's log address and space, unless another stream holds the entry, too."
    },
    footer = {"", "Example:", "  corfu stream trim --before 1000 --stream orders --dir /tmp/c"})
final class StreamTrimCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final StreamOptions stream = new StreamOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--before",
      paramLabel = "ADDRESS",
      required = true,
      description = "Stream address above 0; every entry below it is deleted.")
  private Optional<StreamAddress> before = Optional.empty();

  StreamTrimCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    StreamAddress end = before.orElseThrow();
    try (var corfu = stream.connect()) {
      LogStream opened = stream.open(corfu);
      StreamAddress tail = opened.tail();
      if (end.compareTo(tail) > 0) {
        throw new CommandException(
            ExitCode.USAGE,
            ("stream %s ends before %s: to trim it before %s would delete entries that are"
                    + " yet to be appended")
                .formatted(stream.name(), tail, end));
      }
      opened.trim(end);
      style.print(
          terminal,
          "trimmed stream %s before %s".formatted(stream.name(), end),
          json -> {
            json.writeStringField("stream", stream.name().text());
            json.writeNumberField("trimmedBefore", end.value());
          });
      return ExitCode.OK;
    }
  }
}
