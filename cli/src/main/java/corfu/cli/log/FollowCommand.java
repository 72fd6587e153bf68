package corfu.cli.log;

import corfu.cli.argument.LimitOption;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
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
      "Prints entries as clients append them, until you stop it.",
      "If servers are down, the command waits for them and goes on."
    },
    footer = {
      "",
      "Examples:",
      "  corfu follow --dir /tmp/c             new entries",
      "  corfu follow --from 0 --dir /tmp/c    old and new entries"
    })
public final class FollowCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "First log address to print (default: the tail).")
  private Optional<Address> from = Optional.empty();

  @Mixin private final LimitOption limit = new LimitOption();
  @Mixin private final EntryFormOptions entryForm = new EntryFormOptions();

  public FollowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    long most = limit.value();
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      var log = corfu.log();
      var printer = new EntryPrinter(terminal, out, style.json(), entryForm.form());
      long start = from.orElseGet(log::tail).value();
      long end = start + Math.min(most, Long.MAX_VALUE - start);
      var position = new Position(start);
      new Polling(terminal, out)
          .until(() -> position.next >= end, () -> advance(log, position, end, printer));
      return ExitCode.OK;
    }
  }

  /** The next address to print. It stays right when a read fails half-way. */
  private static final class Position {
    private long next;

    private Position(long next) {
      this.next = next;
    }
  }

  /** Prints new entries. Returns false if there are none. */
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
