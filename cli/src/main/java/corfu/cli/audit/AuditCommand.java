package corfu.cli.audit;

import static corfu.cli.audit.AuditArguments.argument;

import corfu.access.Subject;
import corfu.access.audit.AuditEvent;
import corfu.cli.command.CommandException;
import corfu.cli.command.CommandGroup;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.log.Polling;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.StreamAddress;
import corfu.runtime.access.AuditLog;
import corfu.runtime.access.AuditLogEvent;
import corfu.runtime.access.AuditReader;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "audit",
    description = {
      "Prints events of the audit log: refusals, trims, changes of layouts and of permissions.",
      "A line has the time, the server that reports the event, the proven identity and the address"
          + " of the client, and the request. Servers write the log while they enforce permissions."
          + " Its subcommands verify and trim it."
    },
    footer = {
      "",
      "Examples:",
      "  corfu audit --dir /tmp/c                      the newest events",
      "  corfu audit --refused --identity 'spiffe://prod/*' --dir /tmp/c",
      "  corfu audit --from 2026-11-26T06:30:00Z --json --dir /tmp/c",
      "  corfu audit verify --dir /tmp/c"
    })
public final class AuditCommand implements CommandGroup, Callable<Integer> {

  private static final int USUAL = 50;

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Largest number of events to print, the newest ones (default: 50, or all with --from).")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      description =
          "First log address or time to print: 17, or 2026-11-26T06:30:00Z by the servers' clocks.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--identity",
      paramLabel = "PATTERN",
      description = "Only events of this identity, or of identities that begin alike (PREFIX*).")
  private Optional<String> identity = Optional.empty();

  @Option(names = "--refused", description = "Only refusals.")
  private boolean refused;

  @Option(names = "--follow", description = "Also print new events, until you stop it.")
  private boolean follow;

  public AuditCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Collection<Object> subcommands(Terminal all) {
    return List.of(new AuditVerifyCommand(all), new AuditTrimCommand(all));
  }

  @Override
  public Integer call() throws InterruptedException {
    Optional<AuditPlace> begin = from.map(text -> argument(() -> AuditPlace.parse(text)));
    int most = limit.orElse(USUAL);
    if (most < 1) {
      throw new CommandException(ExitCode.USAGE, "--limit is 1 or more, but not " + most);
    }
    Predicate<AuditLogEvent> wanted = wanted();
    Predicate<AuditLogEvent> selected =
        begin.map(place -> wanted.and(event -> isFrom(place, event))).orElse(wanted);
    try (var corfu = connection.connect();
        var out = new CommandOutput(terminal.out())) {
      AuditLog audit = AuditLog.over(corfu);
      AuditPrinter printer = new AuditPrinter(out, style.json());
      StreamAddress end = audit.end();
      AuditReader reader = audit.reader(end);
      if (limit.isPresent() || begin.isEmpty()) {
        audit.newest(most, selected, end).forEach(printer::print);
      } else {
        reader = readerFrom(begin.get(), audit);
        while (advance(reader, selected, printer)) {
          out.flush();
        }
      }
      if (follow) {
        AuditReader followed = reader;
        new Polling(terminal, out).until(() -> false, () -> advance(followed, selected, printer));
      }
      return ExitCode.OK;
    }
  }

  private Predicate<AuditLogEvent> wanted() {
    Optional<Subject> who = identity.map(text -> argument(() -> Subject.parse(text)));
    return found ->
        (!refused || found.event().kind() == AuditEvent.Kind.REFUSED)
            && (who.isEmpty() || who.get().matches(found.event().identity()));
  }

  private static AuditReader readerFrom(AuditPlace place, AuditLog audit) {
    return switch (place) {
      case AuditPlace.At(var address) -> audit.reader(address);
      case AuditPlace.Since(var time) -> audit.reader(StreamAddress.ZERO);
    };
  }

  private static boolean isFrom(AuditPlace place, AuditLogEvent event) {
    return switch (place) {
      case AuditPlace.At(var address) -> event.address().compareTo(address) >= 0;
      case AuditPlace.Since(var time) -> !event.time().isBefore(time);
    };
  }

  /** Prints new events. Returns false if there are none. */
  private static boolean advance(
      AuditReader reader, Predicate<AuditLogEvent> wanted, AuditPrinter printer) {
    List<AuditLogEvent> events = reader.next();
    events.stream().filter(wanted).forEach(printer::print);
    return !events.isEmpty();
  }
}
