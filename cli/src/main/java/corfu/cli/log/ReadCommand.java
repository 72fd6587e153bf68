package corfu.cli.log;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.ServerReport;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "read",
    description = {
      "Prints entries: one, a range, or all that are not trimmed.",
      "For people, the data of each on a line; with --json an object each, with its address and its"
          + " data (base64 where that is not UTF-8), or with hole, trimmed or unwritten: true."
    },
    footer = {
      "",
      "Examples:",
      "  corfu read 17 --dir /tmp/c",
      "  corfu read --from 10 --to 20 --addresses --dir /tmp/c",
      "  corfu read --all --json --servers 10.0.0.1:9000,10.0.0.2:9000"
    })
public final class ReadCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Parameters(paramLabel = "ADDRESS", arity = "0..1", description = "The one address to read.")
  private Optional<Address> address = Optional.empty();

  @Option(names = "--all", description = "Read everything that is not trimmed.")
  private boolean all;

  @Option(names = "--from", paramLabel = "ADDRESS", description = "Read from this address on.")
  private Optional<Address> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      description = "Stop before this address (default: the tail).")
  private Optional<Address> to = Optional.empty();

  @Option(names = "--addresses", description = "Print each entry's address before its data.")
  private boolean addresses;

  @Option(names = "--binary", description = "Print the bytes of the data and nothing else.")
  private boolean binary;

  public ReadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean range = from.isPresent() || to.isPresent();
    if ((address.isPresent() ? 1 : 0) + (all ? 1 : 0) + (range ? 1 : 0) != 1) {
      throw new CommandException(
          ExitCode.USAGE, "say what to read: an ADDRESS, --from A --to B, or --all");
    }
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      var printer = new EntryPrinter(out, style.json(), form());
      return address.isPresent()
          ? readOne(corfu, address.get(), printer)
          : readMany(corfu, printer);
    }
  }

  private EntryPrinter.Form form() {
    if (binary) {
      return EntryPrinter.Form.BYTES;
    }
    return addresses ? EntryPrinter.Form.WITH_ADDRESSES : EntryPrinter.Form.LINES;
  }

  private int readOne(Corfu corfu, Address one, EntryPrinter printer) {
    LogEntry entry = corfu.log().read(one);
    printer.print(entry);
    return printer.explain(entry, terminal);
  }

  private int readMany(Corfu corfu, EntryPrinter printer) {
    long tail = corfu.log().tail().value();
    long start = all ? firstKept(corfu) : from.map(Address::value).orElse(0L);
    long end = Math.min(tail, to.map(Address::value).orElse(tail));
    if (start >= end) {
      terminal.note("corfu: " + nothingThere(start, tail));
      return ExitCode.OK;
    }
    new LogScan(corfu.log()).forEach(start, end, printer::print);
    if (printer.notShown() > 0) {
      terminal.note(
          "corfu: %d holes or trimmed addresses are not shown; --addresses shows them"
              .formatted(printer.notShown()));
    }
    return ExitCode.OK;
  }

  private String nothingThere(long start, long tail) {
    if (to.isPresent() && to.get().value() <= start) {
      return "nothing was read: --to %s is not behind --from %d".formatted(to.get(), start);
    }
    return tail == 0
        ? "the log is empty"
        : "nothing is there from %d on: the log ends before %d".formatted(start, tail);
  }

  /** What one unit has been told to give up is given up, even where another has not heard yet. */
  private static long firstKept(Corfu corfu) {
    return corfu.servers().stream()
        .map(ServerReport::usage)
        .flatMap(Optional::stream)
        .mapToLong(LogUnitReply.Usage::trimmedBefore)
        .max()
        .orElse(0);
  }
}
