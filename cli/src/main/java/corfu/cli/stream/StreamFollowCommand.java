package corfu.cli.stream;

import corfu.cli.argument.StreamName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.EntryPrinter;
import corfu.cli.log.NewEntrySignal;
import corfu.cli.log.Polling;
import corfu.cli.output.Output;
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
      "Prints the entries of streams as they are appended, until it is stopped.",
      "Several streams are printed in the order of the log, each line with its stream's name before"
          + " it; an entry in two of them is printed twice. It goes on by itself when servers were"
          + " away for a while."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream follow --stream orders --dir /tmp/c             what is appended from now on",
      "  corfu stream follow --stream orders --from 17 --dir /tmp/c   goes on where 16 was the"
          + " last",
      "  corfu stream follow --stream orders --stream audit --from 0 --json --dir /tmp/c"
    })
final class StreamFollowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      required = true,
      description = "A stream to follow: its name, or id:UUID.")
  private List<StreamName> names = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description =
          "Start at this place in the stream (default: its end). Once for all streams, or once for"
              + " each, in their order.")
  private List<StreamAddress> from = new ArrayList<>();

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Stop after this many entries (default: never).")
  private Optional<Long> count = Optional.empty();

  @Option(
      names = "--addresses",
      description = "Print each entry's address in the stream and in the log before its data.")
  private boolean addresses;

  private long left = Long.MAX_VALUE;
  private boolean isListening;

  StreamFollowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    StreamName.idsOf(names);
    if (from.size() > 1 && from.size() != names.size()) {
      throw new CommandException(
          ExitCode.USAGE,
          "say --from once for all streams, or once for each of the %d, but not %d times"
              .formatted(names.size(), from.size()));
    }
    left = count.orElse(Long.MAX_VALUE);
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      StreamsInOrder followed = open(Streams.over(corfu));
      var form = addresses ? EntryPrinter.Form.WITH_ADDRESSES : EntryPrinter.Form.LINES;
      var printer = new StreamPrinter(terminal, out, style.json(), form, names.size() > 1);
      var signal = new NewEntrySignal();
      new Polling(terminal, out, signal)
          .until(
              () -> left <= 0, () -> advance(followed, printer) || beginToListen(followed, signal));
      return ExitCode.OK;
    }
  }

  private StreamsInOrder open(Streams streams) {
    var followed = new StreamsInOrder(streams);
    for (int i = 0; i < names.size(); i++) {
      LogStream stream = streams.open(names.get(i).id());
      StreamAddress start = from.isEmpty() ? stream.tail() : from.get(from.size() == 1 ? 0 : i);
      followed.add(names.get(i), stream.reader(start));
    }
    return followed;
  }

  /**
   * The log units tell of what comes from now on. What was there already has been read in the order
   * of the log, not as it comes.
   *
   * @return false when it has begun before
   */
  private boolean beginToListen(StreamsInOrder followed, NewEntrySignal signal) {
    boolean begins = !isListening && left > 0;
    if (begins) {
      isListening = true;
      followed.listen(signal);
    }
    return begins;
  }

  /** Prints what is new; false when nothing is. */
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
