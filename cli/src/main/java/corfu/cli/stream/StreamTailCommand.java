package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.runtime.stream.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "tail",
    description = {
      "Prints the tail of a stream: the stream address behind its last entry.",
      "Of several streams, each line has the stream's name before its tail."
    },
    footer = {"", "Example:", "  corfu stream tail --stream orders --dir /tmp/c"})
final class StreamTailCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final StreamNamesOption streams = new StreamNamesOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  StreamTailCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    streams.ids();
    try (var corfu = streams.connect(connection);
        var out = new CommandOutput(terminal.out())) {
      Streams all = Streams.over(corfu);
      for (StreamName stream : streams.names()) {
        print(out, stream, all.open(stream.id()).tail().value());
      }
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, StreamName stream, long tail) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("stream", stream.text());
            json.writeNumberField("tail", tail);
          });
    } else {
      out.line(streams.areSeveral() ? stream + "\t" + tail : Long.toString(tail));
    }
    if (tail == 0) {
      terminal.note(
          "corfu: no stream %s is known: nothing has been appended to it".formatted(stream));
    }
  }
}
