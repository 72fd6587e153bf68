package corfu.cli.stream;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.log.EntryPrinter;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "read",
    description = {
      "Prints a stream's entries: one, a range, or all that are not trimmed.",
      "For people, the data of each on a line; with --json an object each, with its address in the"
          + " stream and in the log, and its data (base64 where that is not UTF-8)."
    },
    footer = {
      "",
      "Examples:",
      "  corfu stream read --stream orders --dir /tmp/c",
      "  corfu stream read 3 --stream orders --dir /tmp/c",
      "  corfu stream read --from 10 --limit 5 --addresses --stream orders --dir /tmp/c"
    })
final class StreamReadCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final StreamOptions stream = new StreamOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "ADDRESS", arity = "0..1", description = "The one place to read.")
  private Optional<StreamAddress> address = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "Read from this place in the stream on (default: its beginning).")
  private Optional<StreamAddress> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      description = "Stop before this place in the stream (default: its end).")
  private Optional<StreamAddress> to = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop after this many entries (default: never).")
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--addresses",
      description = "Print each entry's address in the stream and in the log before its data.")
  private boolean addresses;

  @Option(names = "--binary", description = "Print the bytes of the data and nothing else.")
  private boolean binary;

  StreamReadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean isRange = from.isPresent() || to.isPresent() || limit.isPresent();
    if (address.isPresent() && isRange) {
      throw new CommandException(
          ExitCode.USAGE, "say what to read: either an ADDRESS, or --from, --to and --limit");
    }
    if (limit.isPresent() && limit.get() < 1) {
      throw new CommandException(ExitCode.USAGE, "--limit is 1 or more, but not " + limit.get());
    }
    try (var corfu = stream.connect();
        var out = new Output(terminal.out())) {
      LogStream opened = stream.open(corfu);
      var printer = new StreamPrinter(terminal, out, style.json(), form(), false);
      if (address.isPresent()) {
        return readOne(opened, address.get(), printer, out);
      }
      readMany(opened, printer);
      return ExitCode.OK;
    }
  }

  private EntryPrinter.Form form() {
    if (binary) {
      return EntryPrinter.Form.BYTES;
    }
    return addresses ? EntryPrinter.Form.WITH_ADDRESSES : EntryPrinter.Form.LINES;
  }

  private void readMany(LogStream opened, StreamPrinter printer) {
    StreamAddress start = from.orElse(StreamAddress.ZERO);
    StreamAddress end = to.orElse(new StreamAddress(Long.MAX_VALUE));
    long left = limit.orElse(Long.MAX_VALUE);
    Iterator<StreamRead> scan = opened.scan(start, end);
    boolean isEmpty = !scan.hasNext();
    while (left > 0 && scan.hasNext()) {
      StreamRead read = scan.next();
      printer.print(stream.name(), read);
      left -= read instanceof StreamRead.Entry ? 1 : 0;
    }
    if (isEmpty) {
      terminal.note("corfu: " + nothingThere(opened, start));
    }
  }

  private String nothingThere(LogStream opened, StreamAddress start) {
    StreamAddress tail = opened.tail();
    if (to.isPresent() && to.get().compareTo(start) <= 0) {
      return "nothing was read: --to %s is not behind --from %s".formatted(to.get(), start);
    }
    return tail.equals(StreamAddress.ZERO)
        ? "no stream %s is known: nothing has been appended to it".formatted(stream.name())
        : "stream %s has no entries from %s on; it ends before %s"
            .formatted(stream.name(), start, tail);
  }

  private int readOne(LogStream opened, StreamAddress at, StreamPrinter printer, Output out) {
    StreamRead read = opened.read(at);
    printer.print(stream.name(), read);
    return switch (read) {
      case StreamRead.Entry entry -> ExitCode.OK;
      case StreamRead.Trimmed trimmed -> ExitCode.TRIMMED;
      case StreamRead.Absent nothing -> explain(at, opened.tail(), out);
    };
  }

  private int explain(StreamAddress at, StreamAddress tail, Output out) {
    boolean isYetToCome = at.compareTo(tail) >= 0;
    if (style.json()) {
      out.json(
          json -> {
            json.writeStringField("stream", stream.name().text());
            json.writeNumberField("streamAddress", at.value());
            json.writeBooleanField(isYetToCome ? "unwritten" : "hole", true);
          });
    } else {
      terminal.note(
          isYetToCome
              ? "corfu: stream %s has no entry at %s yet; it ends before %s"
                  .formatted(stream.name(), at, tail)
              : "corfu: stream %s has no entry at %s and never will: this place was left out"
                  .formatted(stream.name(), at));
    }
    return isYetToCome ? ExitCode.UNWRITTEN : ExitCode.OK;
  }
}
