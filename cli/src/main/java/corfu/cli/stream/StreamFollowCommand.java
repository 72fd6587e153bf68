package corfu.cli.stream;

import corfu.cli.argument.LimitOption;
import corfu.cli.argument.StreamName;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.EntryFormOptions;
import corfu.cli.log.NewEntrySignal;
import corfu.cli.log.Polling;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "follow",
    description = {
      "Prints entries of streams as clients append them, until you stop it.",
      "Entries of several streams come in the order of the log, each behind its stream's name. An"
          + " entry of two streams is printed twice. If servers are down, the command waits for"
          + " them and goes on."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream follow --stream orders --dir /tmp/c             new entries",
      "  corfu stream follow --stream orders --from 17 --dir /tmp/c   also old ones",
      "  corfu stream follow --stream orders --stream audit --from 0 --dir /tmp/c"
    })
final class StreamFollowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final StreamNamesOption streams = new StreamNamesOption();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description =
          "First stream address to print (default: the tail). Give it once for all streams, or once"
              + " for each, in their order.")
  private List<StreamAddress> from = new ArrayList<>();

  @Mixin private final LimitOption limit = new LimitOption();
  @Mixin private final EntryFormOptions entryForm = new EntryFormOptions();

  private long left = Long.MAX_VALUE;
  private boolean isListening;

  StreamFollowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    streams.ids();
    StreamBounds.check("--from", from, streams.names().size());
    left = limit.value();
    try (var corfu = streams.connect(connection);
        var out = new CommandOutput(terminal.out())) {
      StreamsInOrder followed = open(Streams.over(corfu));
      var printer =
          new StreamPrinter(terminal, out, style.json(), entryForm.form(), streams.areSeveral());
      var signal = new NewEntrySignal();
      new Polling(terminal, out, signal)
          .until(
              () -> left <= 0, () -> advance(followed, printer) || beginToListen(followed, signal));
      return ExitCode.OK;
    }
  }

  private StreamsInOrder open(Streams all) {
    var followed = new StreamsInOrder(all);
    List<StreamName> names = streams.names();
    for (int i = 0; i < names.size(); i++) {
      LogStream stream = all.open(names.get(i).id());
      StreamAddress start = StreamBounds.of(from, i).orElseGet(stream::tail);
      followed.add(names.get(i), stream.reader(start));
    }
    return followed;
  }

  /**
   * Subscribes to new entries. Old entries have been read in the order of the log by now.
   *
   * @return false if the command has subscribed before
   */
  private boolean beginToListen(StreamsInOrder followed, NewEntrySignal signal) {
    boolean begins = !isListening && left > 0;
    if (begins) {
      isListening = true;
      followed.listen(signal);
    }
    return begins;
  }

  /** Prints new entries. Returns false if there are none. */
  private boolean advance(StreamsInOrder followed, StreamPrinter printer) {
    followed.sync();
    boolean isNews = false;
    while (left > 0) {
      Optional<StreamsInOrder.Next> next = followed.next();
      if (next.isEmpty()) {
        break;
      }
      printer.print(next.get().stream(), next.get().read());
      left -= next.get().read() instanceof StreamRead.Entry ? 1 : 0;
      isNews = true;
    }
    return isNews;
  }
}
