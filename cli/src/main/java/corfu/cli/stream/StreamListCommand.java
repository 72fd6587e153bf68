package corfu.cli.stream;

import corfu.cli.argument.LimitOption;
import corfu.cli.argument.StreamName;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
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
      "Lists the streams that have entries, in the order of their ids.",
      "Each line has a stream's id and its tail, as far as the log units know it. The cluster does"
          + " not store names; --stream says which names to look for. Without --limit, the command"
          + " lists up to 1,000 streams, and says how to go on."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream list --dir /tmp/c",
      "  corfu stream list --stream orders --stream audit --dir /tmp/c   with names",
      "  corfu stream list --after 0cc175b9-c0f1-36a8-b1c3-99e269772661 --dir /tmp/c"
    })
final class StreamListCommand implements Callable<Integer> {

  private static final long USUAL_LIMIT = 1000;

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      description = "Name to show beside its stream. Give --stream once for each stream.")
  private List<StreamName> names = new ArrayList<>();

  @Option(
      names = "--after",
      paramLabel = "UUID",
      description = "Id of the stream before the first one to list.")
  private Optional<StreamId> after = Optional.empty();

  @Mixin private final LimitOption limit = new LimitOption();

  StreamListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    long most = limit.value(USUAL_LIMIT);
    Map<StreamId, String> named =
        names.stream()
            .collect(Collectors.toMap(StreamName::id, StreamName::text, (first, again) -> first));
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      names.forEach(name -> name.rememberIn(corfu));
      Iterator<Map.Entry<StreamId, StreamAddress>> streams =
          Streams.over(corfu).list(after.orElse(StreamId.NONE)).iterator();
      StreamId last = StreamId.NONE;
      for (long i = 0; i < most && streams.hasNext(); i++) {
        Map.Entry<StreamId, StreamAddress> stream = streams.next();
        last = stream.getKey();
        print(out, last, stream.getValue(), Optional.ofNullable(named.get(last)));
      }
      if (streams.hasNext()) {
        out.flush();
        terminal.note("corfu: there are more streams; to go on: --after " + last);
      }
      return ExitCode.OK;
    }
  }

  private void print(CommandOutput out, StreamId id, StreamAddress tail, Optional<String> name) {
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
