package corfu.cli.access;

import static corfu.cli.access.GrantParameters.argument;

import corfu.access.PolicyCommand;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "set",
    description = {
      "Sets limits of a subject's quota. The other limits stay as they are.",
      "A limit is a number, or none. An identity has the quota of its exact name, or else of the"
          + " longest prefix, or else the lowest limits of its roles."
    },
    footer = {
      "",
      "Examples:",
      "  corfu access quota set spiffe://prod/a --appends-per-second 99 --dir /tmp/c",
      "  corfu access quota set role:apps --stored-bytes 1000000000 --dir /tmp/c",
      "  corfu access quota set spiffe://prod/app --connections none --dir /tmp/c"
    })
final class QuotaSetCommand implements Callable<Integer> {

  private static final String NONE = "none";

  private final Terminal terminal;
  @Mixin private final ChangeOptions options = new ChangeOptions();

  @Parameters(
      index = "0",
      paramLabel = "SUBJECT",
      description = "Identity, PREFIX*, role:NAME, or anonymous.")
  private String subject = "";

  @Option(
      names = "--bytes-per-second",
      paramLabel = "N",
      description = "Appended and read bytes a second.")
  private Optional<String> bytesPerSecond = Optional.empty();

  @Option(names = "--appends-per-second", paramLabel = "N", description = "Appends a second.")
  private Optional<String> appendsPerSecond = Optional.empty();

  @Option(
      names = "--stored-streams",
      paramLabel = "N",
      description = "Streams with stored entries.")
  private Optional<String> streams = Optional.empty();

  @Option(names = "--stored-bytes", paramLabel = "N", description = "Bytes of stored entries.")
  private Optional<String> storedBytes = Optional.empty();

  @Option(
      names = "--subscriptions",
      paramLabel = "N",
      description = "Streams that a log unit pushes to the subject.")
  private Optional<String> subscriptions = Optional.empty();

  @Option(names = "--connections", paramLabel = "N", description = "Connections to one server.")
  private Optional<String> connections = Optional.empty();

  QuotaSetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Subject whose = argument(() -> Subject.parse(subject));
    Quota checked = changed(Quota.UNLIMITED); // before anything is sent
    if (checked.equals(Quota.UNLIMITED) && !isAnyNone()) {
      throw new CommandException(
          ExitCode.USAGE, "name one limit or more, such as --appends-per-second 1000");
    }
    return options.change(
        policy ->
            new PolicyCommand.SetQuota(
                whose, changed(policy.quotas().getOrDefault(whose, Quota.UNLIMITED))),
        "quota set " + whose.text(),
        terminal);
  }

  private boolean isAnyNone() {
    return limits().anyMatch(limit -> limit.filter(NONE::equals).isPresent());
  }

  private Stream<Optional<String>> limits() {
    return Stream.of(
        bytesPerSecond, appendsPerSecond, streams, storedBytes, subscriptions, connections);
  }

  private Quota changed(Quota before) {
    return argument(
        () ->
            new Quota(
                limit(bytesPerSecond, before.bytesPerSecond()),
                limit(appendsPerSecond, before.appendsPerSecond()),
                limit(streams, before.streams()),
                limit(storedBytes, before.storedBytes()),
                limit(subscriptions, before.subscriptions()),
                limit(connections, before.connections())));
  }

  private static long limit(Optional<String> text, long before) {
    if (text.isEmpty()) {
      return before;
    }
    if (text.get().equals(NONE)) {
      return Quota.NO_LIMIT;
    }
    try {
      return Long.parseLong(text.get());
    } catch (NumberFormatException wrong) {
      throw new IllegalArgumentException(
          "a limit is a whole number or none, but not '" + text.get() + "'", wrong);
    }
  }
}
