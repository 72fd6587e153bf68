package corfu.cli.layout;

import corfu.cli.argument.RoleName;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.AdminClient;
import corfu.cli.output.StatusLine;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.cli.status.ClusterStatus;
import corfu.cli.status.Diagnosis;
import corfu.cli.status.SegmentCopy;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.message.Health;
import corfu.protocol.message.NodeReply;
import corfu.runtime.UnavailableException;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A manual change of the layout. It decides the change, and waits until the cluster has carried it
 * out. Other clients may change the layout at the same time.
 */
final class LayoutChange implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /** The time limit for the first answer of a new server, also on a busy machine. */
  private static final Duration START = Duration.ofSeconds(30);

  private final LayoutChangeOptions options;
  private final Terminal terminal;
  private final AdminClient admin;
  private final long started = System.nanoTime();
  private ClusterStatus view;

  LayoutChange(LayoutChangeOptions options, Terminal terminal) {
    this.options = options;
    this.terminal = terminal;
    this.admin = options.connect();
    this.view = look();
  }

  private ClusterStatus look() {
    return ClusterStatus.of(admin, options.cluster().processes());
  }

  /** Returns the last observed state of the cluster. */
  ClusterStatus view() {
    return view;
  }

  Layout layout() {
    return view.layout();
  }

  String name(Endpoint server) {
    return view.names().of(server);
  }

  /** Returns the server of a name or an address of the command line. */
  Endpoint find(String text) {
    return view.names()
        .find(text)
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCode.USAGE,
                    "no server is called '%s'; say HOST:PORT, or one of: %s"
                        .formatted(text, String.join(", ", view.names().all()))));
  }

  /** Returns a server that must be in the layout. */
  Endpoint findMember(String text) {
    Endpoint server = find(text);
    if (!layout().servers().contains(server)) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s is not in the layout; these are: %s"
              .formatted(text, view.names().of(layout().servers())));
    }
    return server;
  }

  /** Returns the status of a server that gets a role. Waits for a server that has just started. */
  NodeReply.Status newcomer(Endpoint server, RoleName role) {
    Optional<NodeReply.Status> answer = admin.ask(server);
    while (answer.isEmpty() && !isOver() && elapsed() < START.toNanos()) {
      admin.pause(POLL);
      answer = admin.ask(server);
    }
    NodeReply.Status status =
        answer.orElseThrow(
            () ->
                new CommandException(
                    ExitCode.UNAVAILABLE,
                    ("no server answers at %s; start it by: corfu server --config FILE --name NAME,"
                            + " where FILE has all servers and this one")
                        .formatted(server)));
    if (!status.cluster().map(layout().clusterId()::equals).orElse(true)) {
      throw new CommandException(
          ExitCode.WRONG_CLUSTER,
          "the server at %s belongs to another cluster, %s; start it on an empty directory"
              .formatted(server, status.cluster().map(Object::toString).orElse("")));
    }
    if (!status.roles().contains(role.toString())) {
      throw new CommandException(
          ExitCode.USAGE,
          "the server at %s cannot be a %s: its configuration gives it only %s"
              .formatted(server, role, String.join(", ", status.roles())));
    }
    return status;
  }

  /**
   * Returns the layout with a server as standby for the sequencer, if its configuration allows
   * that.
   */
  static Layout standingBy(Layout layout, NodeReply.Status status, Endpoint server) {
    return status.roles().contains(RoleName.SEQUENCER.toString())
        ? LayoutChanges.withStandby(layout, server)
        : layout;
  }

  /** Whether a server answers now. */
  boolean answers(Endpoint server) {
    return admin.ask(server).isPresent();
  }

  /** Returns the live log units of the layout, including spares. */
  Set<Endpoint> livingUnits() {
    Set<Endpoint> living = new LinkedHashSet<>();
    layout().units().forEach(member -> living.add(member.endpoint()));
    living.removeIf(
        unit ->
            view.isDown(unit)
                || view.status(unit)
                    .map(status -> status.health().logUnit())
                    .filter(state -> state != Health.State.BROKEN && state != Health.State.ABSENT)
                    .isEmpty());
    return living;
  }

  /** Prints the next step for people. */
  void tell(String what) {
    if (!options.style().json()) {
      terminal.note(what);
    }
  }

  /** Installs the wished layout, and tries again after changes of other clients. */
  void grant(UnaryOperator<Layout> wish) {
    grant(wish, clusterHealth -> clusterHealth);
  }

  /**
   * Installs the wished layout, and tries again after changes of other clients.
   *
   * @param opinion a function on the layout servers' suspicions
   */
  void grant(UnaryOperator<Layout> wish, UnaryOperator<ClusterHealth> opinion) {
    while (true) {
      try {
        admin.change(wish, opinion.apply(view.sharedSuspicions()));
        view = look();
        return;
      } catch (UnavailableException obstacle) {
        if (isOver()) {
          throw obstacle;
        }
        admin.pause(POLL);
        view = look(); // a server may be suspected by now
      }
    }
  }

  /**
   * Waits for a condition, and shows the progress.
   *
   * @param missing a description of the remaining work
   */
  void await(Predicate<ClusterStatus> isDone, Function<ClusterStatus, String> missing) {
    try (var statusLine = new StatusLine(terminal)) {
      while (!isDone.test(view)) {
        String state = missing.apply(view) + copying();
        if (isOver()) {
          throw new CommandException(
              ExitCode.PARTLY_DONE,
              "not done within %s: %s; the decision stays, and the cluster completes the change"
                      .formatted(Units.time(options.timeout()), state)
                  + ": corfu status "
                  + options.cluster().text());
        }
        if (!options.style().json()) {
          statusLine.show(state);
        }
        admin.pause(POLL);
        view = look();
      }
    }
  }

  private String copying() {
    List<SegmentCopy> copying = SegmentCopy.in(view);
    return copying.isEmpty()
        ? ""
        : "; copying, %d %%%s"
            .formatted(
                SegmentCopy.percentOf(copying), Diagnosis.left(SegmentCopy.timeLeft(copying)));
  }

  /** Waits like {@link #await}, unless the command line says --no-wait. */
  boolean follow(Predicate<ClusterStatus> isDone, Function<ClusterStatus, String> missing) {
    if (options.waits()) {
      await(isDone, missing);
    }
    return isDone.test(view);
  }

  /** Prints the outcome. */
  int conclude(boolean done, String text) {
    options
        .style()
        .print(
            terminal,
            "%s, in epoch %s"
                .formatted(
                    done ? text : "decided; corfu status shows the progress", layout().epoch()),
            json -> {
              json.writeBooleanField("done", done);
              json.writeNumberField("epoch", layout().epoch().value());
              json.writeNumberField("millis", Duration.ofNanos(elapsed()).toMillis());
            });
    return ExitCode.OK;
  }

  private long elapsed() {
    return System.nanoTime() - started;
  }

  private boolean isOver() {
    return elapsed() > options.timeout().toNanos();
  }

  @Override
  public void close() {
    admin.close();
  }
}
