package corfu.cli.log;

import corfu.cli.argument.LimitOption;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
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
      "Prints one entry, a range of entries, or all entries that are not trimmed.",
      "Each entry's data is a line. A terminal shows data that is not text in hex; --binary, a pipe"
          + " or a file gets the bytes. With --json, each entry is an object with its address and"
          + " its data (base64 if it is not UTF-8), or with hole, trimmed or unwritten: true."
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

  @Parameters(
      paramLabel = "ADDRESS",
      arity = "0..1",
      description = "Log address of one entry, 0 or more.")
  private Optional<Address> address = Optional.empty();

  @Option(names = "--all", description = "Read all entries that are not trimmed.")
  private boolean all;

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "First log address to read (default: 0).")
  private Optional<Address> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      description = "Log address behind the last one to read (default: the tail).")
  private Optional<Address> to = Optional.empty();

  @Mixin private final LimitOption limit = new LimitOption();
  @Mixin private final EntryFormOptions entryForm = new EntryFormOptions();

  public ReadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean range = from.isPresent() || to.isPresent();
    boolean many = all || range || limit.isPresent();
    if (address.isPresent() == many || (all && range)) {
      throw new CommandException(
          ExitCode.USAGE,
          "say what to read: an ADDRESS, --from A --to B, or --all; --limit N bounds the last two");
    }
    long most = limit.value();
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      var printer = new EntryPrinter(terminal, out, style.json(), entryForm.form());
      return address.isPresent()
          ? readOne(corfu, address.get(), printer)
          : readMany(corfu, most, printer);
    }
  }

  private int readOne(Corfu corfu, Address one, EntryPrinter printer) {
    LogEntry entry = corfu.log().read(one);
    printer.print(entry);
    return printer.explain(entry);
  }

  private int readMany(Corfu corfu, long most, EntryPrinter printer) {
    long tail = corfu.log().tail().value();
    boolean isWhole = from.isEmpty() && to.isEmpty();
    long start = isWhole ? firstKept(corfu) : from.map(Address::value).orElse(0L);
    long end = Math.min(tail, to.map(Address::value).orElse(tail));
    if (start >= end) {
      terminal.note("corfu: " + nothingThere(start, tail));
      return ExitCode.OK;
    }
    long stop = start + Math.min(most, end - start);
    new LogScan(corfu.log()).forEach(start, stop, printer::print);
    if (printer.notShown() > 0) {
      terminal.note(
          "corfu: left out %d holes or trimmed addresses; --addresses shows them"
              .formatted(printer.notShown()));
    }
    return ExitCode.OK;
  }

  private String nothingThere(long start, long tail) {
    if (to.isPresent() && to.get().value() <= start) {
      return "no entry was read: --to %s is not above --from %d".formatted(to.get(), start);
    }
    return tail == 0
        ? "the log is empty"
        : "there are no entries from address %d on: the log ends before %d".formatted(start, tail);
  }

  /** A trim counts as soon as one log unit has carried it out. */
  private static long firstKept(Corfu corfu) {
    return corfu.servers().stream()
        .map(ServerReport::usage)
        .flatMap(Optional::stream)
        .mapToLong(LogUnitReply.Usage::trimmedBefore)
        .max()
        .orElse(0);
  }
}
