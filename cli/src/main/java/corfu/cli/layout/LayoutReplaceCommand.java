package corfu.cli.layout;

import corfu.cli.argument.RoleName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.layout.Plan;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "replace",
    description = {
      "Replaces one log unit by another.",
      "The new log unit receives appends at once, and copies the old one's entries from their"
          + " replicas. Then the old one leaves the layout. It may be dead already."
    },
    footer = {"", "Example:", "  corfu layout replace n2 n4 --dir /tmp/c"})
final class LayoutReplaceCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final LayoutChangeOptions options = new LayoutChangeOptions();

  @Parameters(
      index = "0",
      paramLabel = "OLD",
      description = "Address or name of the server that leaves.")
  private String old = "";

  @Parameters(
      index = "1",
      paramLabel = "NEW",
      description = "Address or name of the server that joins.")
  private String fresh = "";

  LayoutReplaceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var change = new LayoutChange(options, terminal)) {
      Endpoint leaver = change.findMember(old);
      Endpoint newcomer = change.find(fresh);
      var status = change.newcomer(newcomer, RoleName.LOG_UNIT);
      if (change.layout().logUnits().contains(newcomer)) {
        throw new CommandException(
            ExitCode.USAGE,
            "%s holds a part of the log already, so it cannot replace another one"
                .formatted(change.name(newcomer)));
      }
      change.tell(
          "%s replaces %s, and copies its entries"
              .formatted(change.name(newcomer), change.name(leaver)));
      change.grant(
          layout -> LayoutChange.standingBy(Plan.withSpare(layout, newcomer), status, newcomer));
      change.await(
          view ->
              view.usableSpares().contains(newcomer) || view.layout().logUnits().contains(newcomer),
          view ->
              "waiting until %s has run long enough to be trusted"
                  .formatted(change.name(newcomer)));
      change.grant(
          layout -> LayoutChanges.withoutStandby(Plan.withRetiring(layout, leaver), leaver),
          clusterHealth -> clusterHealth.withUsableSpares(Set.of(newcomer)));
      boolean done =
          change.follow(
              view -> !RoleName.of(leaver, view.layout()).contains(RoleName.LOG_UNIT),
              view ->
                  "waiting until others have copies of the entries on %s"
                      .formatted(change.name(leaver)));
      return change.conclude(
          done, "%s has replaced %s".formatted(change.name(newcomer), change.name(leaver)));
    }
  }
}
