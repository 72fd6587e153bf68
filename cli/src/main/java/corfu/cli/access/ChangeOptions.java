package corfu.cli.access;

import corfu.access.PolicyCommand;
import corfu.access.PolicyOutcome;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.protocol.Identity;
import corfu.runtime.access.AccessControl;
import corfu.runtime.access.EnforcementReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that changes permissions, and the change itself. */
final class ChangeOptions {

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--author",
      paramLabel = "IDENTITY",
      description =
          "Your identity, which the change names as its author (default: that of your"
              + " certificate).")
  private Optional<String> author = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description =
          "Time to wait until all servers enforce the change (default: ${DEFAULT-VALUE}).",
      defaultValue = "5s")
  private Duration patience = Duration.ofSeconds(5);

  /**
   * Changes the policy, waits for the servers, and prints the outcome.
   *
   * @param what the change, for people
   */
  int change(PolicyCommand command, String what, Terminal terminal) {
    Identity named =
        author
            .map(name -> GrantParameters.argument(() -> new Identity(name)))
            .orElseGet(connection::identity);
    try (var corfu = connection.connect()) {
      AccessControl control = AccessControl.over(corfu, named);
      String outcome =
          switch (control.change(command)) {
            case PolicyOutcome.Changed changed -> "changed";
            case PolicyOutcome.Unchanged unchanged -> "unchanged";
            case PolicyOutcome.Refused(String reason) ->
                throw new CommandException(ExitCode.FAILED, "nothing has changed: " + reason);
          };
      List<EnforcementReport> late = control.awaitEnforced(patience);
      style.print(
          terminal,
          "%s: %s".formatted(outcome, what),
          json -> {
            json.writeStringField("outcome", outcome);
            json.writeStringField("change", what);
            json.writeArrayFieldStart("late");
            for (EnforcementReport server : late) {
              json.writeString(server.server().toString());
            }
            json.writeEndArray();
          });
      late.forEach(server -> terminal.note("corfu: " + describe(server)));
      return late.isEmpty() ? ExitCode.OK : ExitCode.PARTLY_DONE;
    }
  }

  private static String describe(EnforcementReport late) {
    if (late.isOpen()) {
      return ("the server at %s enforces no permissions: it needs TLS and [access] (corfu cluster"
              + " access)")
          .formatted(late.server());
    }
    return late.access().isPresent()
        ? "the server at %s does not enforce the change yet".formatted(late.server())
        : "the server at %s did not say which permissions it enforces: %s"
            .formatted(late.server(), late.problem());
  }
}
