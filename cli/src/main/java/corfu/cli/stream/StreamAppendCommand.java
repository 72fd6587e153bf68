package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.AppendPipeline;
import corfu.cli.log.EntryInput;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "append",
    description = {
      "Appends a text, lines, or one binary entry to one stream or several.",
      "Without TEXT, each line of standard input or of a file becomes an entry. With --binary, all"
          + " of the input becomes one entry. An entry of several streams is in all of them or in"
          + " none.",
      "The command prints each entry's log address when the entry is durable on all its replicas."
          + " Behind it are the entry's stream addresses, in the order of the --stream options."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream append 'one book' --stream orders --dir /tmp/c",
      "  corfu stream append 'a lamp' --stream orders --stream audit --dir /tmp/c",
      "  corfu stream append --file orders.txt --stream orders --dir /tmp/c"
    })
final class StreamAppendCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final EntryInput input = new EntryInput();
  @Mixin private final StreamNamesOption streams = new StreamNamesOption();

  StreamAppendCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<StreamId> ids = streams.ids();
    input.check();
    int longest = connection.options().limits().maxPayloadBytes();
    try (var in = input.open(terminal);
        var corfu = streams.connect(connection);
        var out = new CommandOutput(terminal.out())) {
      Streams all = Streams.over(corfu);
      input.appendAll(
          in, longest, payload -> all.appendAsync(ids, ByteBuffer.wrap(payload)), receiptsTo(out));
      return ExitCode.OK;
    }
  }

  private AppendPipeline.Receipts<StreamAppend.Appended> receiptsTo(CommandOutput out) {
    return new AppendPipeline.Receipts<>() {
      @Override
      public void acknowledged(StreamAppend.Appended appended) {
        print(out, appended);
      }

      @Override
      public void pause() {
        out.flush();
      }

      @Override
      public void ended(EntryInput.Shortfall shortfall) {
        if (style.json()) {
          out.json(shortfall::writeTo);
        }
      }
    };
  }

  private void print(CommandOutput out, StreamAppend.Appended appended) {
    if (!style.json()) {
      var line = new StringBuilder().append(appended.address());
      streams.names().forEach(stream -> line.append('\t').append(appended.in(stream.id())));
      out.line(line.toString());
      return;
    }
    out.json(
        json -> {
          json.writeNumberField("address", appended.address().value());
          json.writeArrayFieldStart("streams");
          for (StreamName stream : streams.names()) {
            json.writeStartObject();
            json.writeStringField("stream", stream.text());
            json.writeNumberField("streamAddress", appended.in(stream.id()).value());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
