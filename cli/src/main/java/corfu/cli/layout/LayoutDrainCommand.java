package corfu.cli.layout;

import corfu.cli.argument.RoleName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.cli.status.ClusterStatus;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.ServerReport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drain",
    description = {
      "Drains a live server: other log units copy its entries, and then it leaves the layout.",
      "A spare replaces it. If there is none, appends use one log unit less from then on."
    },
    footer = {
      "",
      "Examples:",
      "  corfu layout drain 10.0.0.2:9000 --servers 10.0.0.1:9000",
      "  corfu layout drain n2 --role layout-server --dir /tmp/c"
    })
final class LayoutDrainCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final LayoutChangeOptions options = new LayoutChangeOptions();

  @Parameters(paramLabel = "HOST:PORT", description = "Address of the server, or its name.")
  private String server = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "log-unit",
      description = "Role to remove: log-unit, sequencer or layout-server (default: log-unit).")
  private RoleName role = RoleName.LOG_UNIT;

  LayoutDrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try (var change = new LayoutChange(options, terminal)) {
      Endpoint leaver = change.findMember(server);
      if (!RoleName.of(leaver, change.layout()).contains(role)) {
        throw new CommandException(
            ExitCode.USAGE, "%s is not a %s of this cluster".formatted(change.name(leaver), role));
      }
      return switch (role) {
        case LOG_UNIT -> drainUnit(change, leaver);
        case SEQUENCER -> {
          change.grant(layout -> LayoutChanges.withoutSequencer(layout, leaver));
          yield done(change, leaver);
        }
        case LAYOUT_SERVER -> {
          change.grant(
              layout ->
                  LayoutChanges.withoutStandby(
                      LayoutChanges.withoutLayoutServer(layout, leaver), leaver));
          yield done(change, leaver);
        }
      };
    }
  }

  private int drainUnit(LayoutChange change, Endpoint leaver) {
    if (!change.answers(leaver)) {
      throw new CommandException(
          ExitCode.UNAVAILABLE,
          "%s does not answer; if it does not come back: corfu layout remove %s %s"
              .formatted(change.name(leaver), leaver, options.cluster().text()));
    }
    Set<Endpoint> living = change.livingUnits();
    Layout wished =
        LayoutChanges.withoutUnit(change.layout(), leaver, living); // refuses before any change
    tell(change, leaver, wished);
    awaitSpare(change, leaver, living);
    change.grant(
        layout ->
            LayoutChanges.withoutStandby(
                LayoutChanges.withoutUnit(layout, leaver, living), leaver));
    boolean done = change.follow(view -> !isUnit(leaver, view), view -> what(change, leaver));
    return done ? done(change, leaver) : change.conclude(false, "");
  }

  private static String what(LayoutChange change, Endpoint leaver) {
    return "waiting until others have copies of the entries on %s".formatted(change.name(leaver));
  }

  private static boolean isUnit(Endpoint server, ClusterStatus view) {
    return RoleName.of(server, view.layout()).contains(RoleName.LOG_UNIT);
  }

  private static void tell(LayoutChange change, Endpoint leaver, Layout wished) {
    Layout before = change.layout();
    long bytes =
        change.view().reports().stream()
            .filter(report -> report.endpoint().equals(leaver))
            .map(ServerReport::usage)
            .mapToLong(usage -> usage.map(LogUnitReply.Usage::liveBytes).orElse(0L))
            .sum();
    int units = wished.wanted().units();
    if (!before.logUnits().contains(leaver)) {
      change.tell(
          "%s is a spare without entries, and leaves at once".formatted(change.name(leaver)));
    } else {
      change.tell(
          "%s leaves: others copy what it holds, %s; %s"
              .formatted(
                  change.name(leaver),
                  Units.bytes(bytes),
                  units == before.wanted().units()
                      ? "appends go to %d log units as before".formatted(units)
                      : "appends will go to %d log units instead of %d"
                          .formatted(units, before.wanted().units())));
    }
  }

  /** Waits for a spare, so that appends never go to fewer log units. */
  private static void awaitSpare(LayoutChange change, Endpoint leaver, Set<Endpoint> living) {
    boolean isReplaced =
        change.layout().openSegment().units().contains(leaver)
            && change.layout().spares().stream().anyMatch(living::contains);
    if (isReplaced) {
      change.await(
          view -> !view.usableSpares().isEmpty() || view.layout().spares().isEmpty(),
          view -> "waiting until the spare has run long enough to be trusted");
    }
  }

  private int done(LayoutChange change, Endpoint leaver) {
    List<RoleName> left = RoleName.of(leaver, change.layout());
    int code = change.conclude(true, "%s is no %s any more".formatted(change.name(leaver), role));
    if (left.isEmpty()) {
      change.tell("it may be switched off");
    }
    for (RoleName other : left) {
      change.tell(
          "it is still a %s: corfu layout drain %s --role %s %s"
              .formatted(other, leaver, other, options.cluster().text()));
    }
    return code;
  }
}
