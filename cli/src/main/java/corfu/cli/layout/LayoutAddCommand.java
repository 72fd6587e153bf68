package corfu.cli.layout;

import corfu.cli.argument.RoleName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.layout.Plan;
import corfu.protocol.message.Health;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "add",
    description = {
      "Adds a running server to the layout, so that appends use one more log unit.",
      "Existing entries stay where they are. With --spare, the log unit waits to replace a failed"
          + " one. With --role layout-server, the server also decides layouts. With --role"
          + " sequencer, it is a standby for the sequencer only."
    },
    footer = {
      "",
      "Examples:",
      "  corfu layout add 10.0.0.4:9000 --servers 10.0.0.1:9000",
      "  corfu layout add n5 --spare --dir /tmp/c",
      "  corfu layout add n5 --role layout-server --dir /tmp/c"
    })
final class LayoutAddCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final LayoutChangeOptions options = new LayoutChangeOptions();

  @Parameters(paramLabel = "HOST:PORT", description = "Address of the server, or its name.")
  private String server = "";

  @Option(names = "--spare", description = "Add the log unit as a spare.")
  private boolean spare;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "log-unit",
      description = "Role to add: log-unit, sequencer or layout-server (default: log-unit).")
  private RoleName role = RoleName.LOG_UNIT;

  LayoutAddCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var change = new LayoutChange(options, terminal)) {
      Endpoint newcomer = change.find(server);
      return switch (role) {
        case LOG_UNIT -> spare ? addSpare(change, newcomer) : addUnit(change, newcomer);
        case SEQUENCER -> addSequencer(change, newcomer);
        case LAYOUT_SERVER -> addLayoutServer(change, newcomer);
      };
    }
  }

  private static int addSpare(LayoutChange change, Endpoint newcomer) {
    var status = change.newcomer(newcomer, RoleName.LOG_UNIT);
    refuseIfLeaving(change, newcomer);
    if (change.layout().logUnits().contains(newcomer)) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s holds a part of the log, so it cannot be a spare".formatted(change.name(newcomer)));
    }
    change.tell("%s will wait until another log unit fails".formatted(change.name(newcomer)));
    change.grant(
        layout -> LayoutChange.standingBy(Plan.withSpare(layout, newcomer), status, newcomer));
    boolean done =
        change.follow(
            view ->
                view.usableSpares().contains(newcomer)
                    || view.layout().logUnits().contains(newcomer),
            view ->
                "waiting until %s has run long enough to be trusted"
                    .formatted(change.name(newcomer)));
    return change.conclude(done, change.name(newcomer) + " is a spare that can be used");
  }

  private static int addUnit(LayoutChange change, Endpoint newcomer) {
    var status = change.newcomer(newcomer, RoleName.LOG_UNIT);
    refuseIfLeaving(change, newcomer);
    Layout before = change.layout();
    if (before.openSegment().units().contains(newcomer)) {
      return change.conclude(true, "appends go to %s already".formatted(change.name(newcomer)));
    }
    int more = before.wanted().units() + 1;
    change.tell(
        "appends will go to %d log units instead of %d; existing entries stay where they are"
            .formatted(more, before.wanted().units()));
    change.grant(
        layout -> LayoutChange.standingBy(Plan.withSpare(layout, newcomer), status, newcomer));
    change.await(
        view ->
            view.usableSpares().contains(newcomer) || view.layout().logUnits().contains(newcomer),
        view ->
            "waiting until %s has run long enough to be trusted".formatted(change.name(newcomer)));
    change.grant(
        layout -> LayoutChanges.withUnits(layout, more),
        clusterHealth ->
            clusterHealth.withUsableSpares(Set.of(newcomer))); // this one, no other spare
    boolean done =
        change.follow(
            view -> {
              var open = view.layout().openSegment().units();
              return open.contains(newcomer) || open.size() >= view.layout().wanted().units();
            },
            view -> "waiting until %s can be used".formatted(change.name(newcomer)));
    return change.conclude(
        done,
        "appends go to %d log units: %s"
            .formatted(
                change.layout().openSegment().units().size(),
                change.view().names().of(change.layout().openSegment().units())));
  }

  private static void refuseIfLeaving(LayoutChange change, Endpoint newcomer) {
    if (change.layout().units().stream()
        .anyMatch(member -> member.endpoint().equals(newcomer) && member.retiring())) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s is being drained; add it again when it has left the layout"
              .formatted(change.name(newcomer)));
    }
  }

  private static int addSequencer(LayoutChange change, Endpoint newcomer) {
    change.newcomer(newcomer, RoleName.SEQUENCER);
    change.grant(layout -> LayoutChanges.withSequencer(layout, newcomer));
    return change.conclude(true, "%s stands by as a sequencer".formatted(change.name(newcomer)));
  }

  private static int addLayoutServer(LayoutChange change, Endpoint newcomer) {
    var status = change.newcomer(newcomer, RoleName.LAYOUT_SERVER);
    int more = change.layout().layoutServers().size() + 1;
    change.tell(
        "%s will be one of %d layout servers, of which %d may fail"
            .formatted(change.name(newcomer), more, (more - 1) / 2));
    change.grant(
        layout ->
            LayoutChange.standingBy(
                LayoutChanges.withLayoutServer(layout, newcomer, status.health().acceptor()),
                status,
                newcomer));
    boolean done =
        change.follow(
            view ->
                view.status(newcomer)
                    .filter(now -> now.health().layoutServer() == Health.State.SERVING)
                    .isPresent(),
            view -> "waiting until %s votes".formatted(change.name(newcomer)));
    return change.conclude(done, "%s is a layout server".formatted(change.name(newcomer)));
  }
}
