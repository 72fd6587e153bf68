package corfu.cli.stream;

import corfu.cli.argument.LimitOption;
import corfu.cli.argument.StreamName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.EntryFormOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "read",
    description = {
      "Prints one entry of a stream, or a range or all of the entries of one stream or several.",
      "Each entry's data is a line. A terminal shows data that is not text in hex; --binary, a pipe"
          + " or a file gets the bytes. With --json, each entry is an object with its stream"
          + " address, its log address and its data (base64 if it is not UTF-8).",
      "Entries of several streams come in the order of the log, each behind its stream's name. An"
          + " entry of two streams is printed twice."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream read --stream orders --dir /tmp/c",
      "  corfu stream read 3 --stream orders --dir /tmp/c",
      "  corfu stream read --stream orders --stream audit --dir /tmp/c",
      "  corfu stream read --from 10 --limit 5 --stream orders --dir /tmp/c"
    })
final class StreamReadCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final StreamNamesOption streams = new StreamNamesOption();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(
      paramLabel = "ADDRESS",
      arity = "0..1",
      description = "Stream address of one entry, 0 or more.")
  private Optional<StreamAddress> address = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description =
          "First stream address to read (default: 0). Give it once for all streams, or once for"
              + " each, in their order.")
  private List<StreamAddress> from = new ArrayList<>();

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      description =
          "Stream address behind the last one to read (default: the tail). Give it once for all"
              + " streams, or once for each, in their order.")
  private List<StreamAddress> to = new ArrayList<>();

  @Mixin private final LimitOption limit = new LimitOption();
  @Mixin private final EntryFormOptions entryForm = new EntryFormOptions();

  StreamReadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    check();
    long most = limit.value();
    try (var corfu = streams.connect(connection);
        var out = new CommandOutput(terminal.out())) {
      Streams all = Streams.over(corfu);
      var printer =
          new StreamPrinter(terminal, out, style.json(), entryForm.form(), streams.areSeveral());
      if (address.isPresent()) {
        return readOne(all, address.get(), printer, out);
      } else if (streams.areSeveral()) {
        readInOrder(all, most, printer);
      } else {
        readMany(all, most, printer);
      }
      return ExitCode.OK;
    }
  }

  private void check() {
    streams.ids();
    boolean isRange = !from.isEmpty() || !to.isEmpty() || limit.isPresent();
    if (address.isPresent() && (isRange || streams.areSeveral())) {
      throw new CommandException(
          ExitCode.USAGE,
          "say what to read: either an ADDRESS of one stream, or --from, --to and --limit");
    }
    StreamBounds.check("--from", from, streams.names().size());
    StreamBounds.check("--to", to, streams.names().size());
  }

  private StreamAddress start(int stream) {
    return StreamBounds.of(from, stream).orElse(StreamAddress.ZERO);
  }

  private StreamAddress end(int stream) {
    return StreamBounds.of(to, stream).orElse(new StreamAddress(Long.MAX_VALUE));
  }

  private void readInOrder(Streams all, long most, StreamPrinter printer) {
    var inOrder = new StreamsInOrder(all);
    List<StreamName> names = streams.names();
    for (int i = 0; i < names.size(); i++) {
      inOrder.add(names.get(i), all.open(names.get(i).id()).reader(start(i)), end(i));
    }
    inOrder.sync();
    long left = most;
    Optional<StreamsInOrder.Next> next = inOrder.next();
    while (left > 0 && next.isPresent()) {
      printer.print(next.get().stream(), next.get().read());
      left -= next.get().read() instanceof StreamRead.Entry ? 1 : 0;
      next = left > 0 ? inOrder.next() : Optional.empty();
    }
  }

  private void readMany(Streams all, long most, StreamPrinter printer) {
    StreamName stream = streams.names().getFirst();
    LogStream opened = all.open(stream.id());
    long left = most;
    Iterator<StreamRead> scan = opened.scan(start(0), end(0));
    boolean isEmpty = !scan.hasNext();
    while (left > 0 && scan.hasNext()) {
      StreamRead read = scan.next();
      printer.print(stream, read);
      left -= read instanceof StreamRead.Entry ? 1 : 0;
    }
    if (isEmpty) {
      terminal.note("corfu: " + nothingThere(stream, opened.tail()));
    }
  }

  private String nothingThere(StreamName stream, StreamAddress tail) {
    if (end(0).compareTo(start(0)) <= 0) {
      return "no entry was read: --to %s is not above --from %s".formatted(end(0), start(0));
    }
    return tail.equals(StreamAddress.ZERO)
        ? "no stream %s is known: nothing has been appended to it".formatted(stream)
        : "stream %s has no entries from %s on; it ends before %s"
            .formatted(stream, start(0), tail);
  }

  private int readOne(Streams all, StreamAddress at, StreamPrinter printer, CommandOutput out) {
    StreamName stream = streams.names().getFirst();
    LogStream opened = all.open(stream.id());
    StreamRead read = opened.read(at);
    printer.print(stream, read);
    return switch (read) {
      case StreamRead.Entry entry -> ExitCode.OK;
      case StreamRead.Trimmed trimmed -> ExitCode.TRIMMED;
      case StreamRead.Absent nothing -> explain(stream, at, opened.tail(), out);
    };
  }

  private int explain(StreamName stream, StreamAddress at, StreamAddress tail, CommandOutput out) {
    boolean isYetToCome = at.compareTo(tail) >= 0;
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("stream", stream.text());
            json.writeNumberField("streamAddress", at.value());
            json.writeBooleanField(isYetToCome ? "unwritten" : "hole", true);
          });
    } else {
      terminal.note(
          isYetToCome
              ? "corfu: stream %s has no entry at %s yet; it ends before %s"
                  .formatted(stream, at, tail)
              : "corfu: stream %s has no entry at %s and never will: its writer left it out"
                  .formatted(stream, at));
    }
    return isYetToCome ? ExitCode.UNWRITTEN : ExitCode.OK;
  }
}
