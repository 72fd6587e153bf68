package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "Lists the streams that have entries.",
      "A line each, always in the same order: the id, and the stream address behind the last entry"
          + " that a log unit knows of. Names are not stored; a stream is listed with its name"
          + " where that is given."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream list --dir /tmp/c",
      "  corfu stream list --stream orders --stream audit --dir /tmp/c    says which ones those"
          + " are",
      "  corfu stream list --after 0cc175b9-c0f1-36a8-b1c3-99e269772661 --dir /tmp/c    goes on"
          + " from there"
    })
final class StreamListCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      description = "A name to show at the stream that has it; any number of them.")
  private List<StreamName> names = new ArrayList<>();

  @Option(
      names = "--after",
      paramLabel = "UUID",
      description = "Begin behind the stream of this id.")
  private Optional<StreamId> after = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Stop after this many streams, and say how to go on (default: 1000).")
  private long limit = 1000;

  StreamListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new CommandException(ExitCode.USAGE, "--limit is 1 or more, but not " + limit);
    }
    Map<StreamId, String> named =
        names.stream()
            .collect(Collectors.toMap(StreamName::id, StreamName::text, (first, again) -> first));
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      Iterator<Map.Entry<StreamId, StreamAddress>> streams =
          Streams.over(corfu).list(after.orElse(StreamId.NONE)).iterator();
      StreamId last = StreamId.NONE;
      for (long i = 0; i < limit && streams.hasNext(); i++) {
        Map.Entry<StreamId, StreamAddress> stream = streams.next();
        last = stream.getKey();
        print(out, last, stream.getValue(), Optional.ofNullable(named.get(last)));
      }
      if (streams.hasNext()) {
        out.flush();
        terminal.note("corfu: there are more; to go on: --after " + last);
      }
      return ExitCode.OK;
    }
  }

  private void print(Output out, StreamId id, StreamAddress tail, Optional<String> name) {
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("id", id.toString());
            if (name.isPresent()) {
              json.writeStringField("stream", name.get());
            }
            json.writeNumberField("tail", tail.value());
          });
    } else {
      out.line(id + "\t" + tail + name.map(text -> "\t" + text).orElse(""));
    }
  }
}
