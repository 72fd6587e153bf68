package corfu.cli.log;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.Output;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Address;
import corfu.runtime.Log;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "follow",
    description = {
      "Prints entries as they are appended, until it is stopped.",
      "It goes on by itself when servers were away for a while."
    },
    footer = {
      "",
      "Examples:",
      "  corfu follow --dir /tmp/c             what is appended from now on",
      "  corfu follow --from 0 --dir /tmp/c    what there is, then what is appended"
    })
public final class FollowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "Start at this address (default: the tail).")
  private Optional<Address> from = Optional.empty();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      description = "Stop after this many addresses (default: never).")
  private long count = Long.MAX_VALUE;

  @Option(names = "--addresses", description = "Print each entry's address before its data.")
  private boolean addresses;

  public FollowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      var log = corfu.log();
      var form = addresses ? EntryPrinter.Form.WITH_ADDRESSES : EntryPrinter.Form.LINES;
      var printer = new EntryPrinter(out, style.json(), form);
      long start = from.orElseGet(log::tail).value();
      long end = start + Math.min(count, Long.MAX_VALUE - start);
      var position = new Position(start);
      new Polling(terminal, out)
          .until(() -> position.next >= end, () -> advance(log, position, end, printer));
      return ExitCode.OK;
    }
  }

  /** Where to go on; right even when a read fails half-way. */
  private static final class Position {
    private long next;

    private Position(long next) {
      this.next = next;
    }
  }

  /** Prints what is new; false when nothing is. */
  private static boolean advance(Log log, Position position, long end, EntryPrinter printer) {
    long tail = Math.min(end, log.tail().value());
    if (tail <= position.next) {
      return false;
    }
    new LogScan(log)
        .forEach(
            position.next,
            tail,
            entry -> {
              printer.print(entry);
              position.next = entry.address().value() + 1;
            });
    return true;
  }
}
