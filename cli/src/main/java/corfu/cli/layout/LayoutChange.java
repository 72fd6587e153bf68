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
 * A change of a cluster by hand: has it decided, and waits until the cluster has done what follows
 * from it. Others may change the cluster at the same time.
 */
final class LayoutChange implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /** A server that was started a moment ago answers within this, on a busy machine, too. */
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

  /** The cluster as it was seen last. */
  ClusterStatus view() {
    return view;
  }

  Layout layout() {
    return view.layout();
  }

  String name(Endpoint server) {
    return view.names().of(server);
  }

  /** The server that was named on the command line, by its name or its address. */
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

  /** The server as a part of the layout. */
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

  /** What a server says of itself that is to get a role; waits for one that has just started. */
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

  /** The layout where a server stands by as a sequencer, if its configuration lets it be one. */
  static Layout standingBy(Layout layout, NodeReply.Status status, Endpoint server) {
    return status.roles().contains(RoleName.SEQUENCER.toString())
        ? LayoutChanges.withStandby(layout, server)
        : layout;
  }

  /** Whether a server answers just now. */
  boolean answers(Endpoint server) {
    return admin.ask(server).isPresent();
  }

  /** The log units of the layout that work, spares included. */
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

  /** Tells the person what is going to happen. */
  void tell(String what) {
    if (!options.style().json()) {
      terminal.note(what);
    }
  }

  /** Has the wish granted, however often others are faster. */
  void grant(UnaryOperator<Layout> wish) {
    grant(wish, clusterHealth -> clusterHealth);
  }

  /**
   * Has the wish granted, however often others are faster.
   *
   * @param opinion what to make of what the layout servers think
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
        view = look(); // perhaps somebody is under suspicion by now
      }
    }
  }

  /**
   * Waits, and shows how far it is.
   *
   * @param missing what is still to be done, for people
   */
  void await(Predicate<ClusterStatus> isDone, Function<ClusterStatus, String> missing) {
    try (var statusLine = new StatusLine(terminal)) {
      while (!isDone.test(view)) {
        String state = missing.apply(view) + copying();
        if (isOver()) {
          throw new CommandException(
              ExitCode.PARTLY_DONE,
              "not done within %s: %s; what has been decided stays, and the cluster goes on with it"
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

  /** Waits like {@link #await}, unless the person does not want to. */
  boolean follow(Predicate<ClusterStatus> isDone, Function<ClusterStatus, String> missing) {
    if (options.waits()) {
      await(isDone, missing);
    }
    return isDone.test(view);
  }

  /** Says what has come of it. */
  int conclude(boolean done, String text) {
    options
        .style()
        .print(
            terminal,
            "%s, in epoch %s"
                .formatted(
                    done ? text : "decided; corfu status tells how far it is", layout().epoch()),
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
