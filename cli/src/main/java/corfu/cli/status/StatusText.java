package corfu.cli.status;

import corfu.cli.connection.ServerNames;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.Units;
import corfu.cli.status.ConnectionSecurity.ServerCertificate;
import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import corfu.transport.tls.TlsStatus;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints a cluster's status for people. */
final class StatusText {

  private static final String ROW = "%-6s %-21s %-8s %-14s %6s %12s %9s %9s %9s  %s";
  private static final String UNKNOWN = "-";

  private final CommandOutput out;
  private final ClusterStatus view;
  private final Layout layout;
  private final ServerNames names;

  private StatusText(CommandOutput out, ClusterStatus view) {
    this.out = out;
    this.view = view;
    this.layout = view.layout();
    this.names = view.names();
  }

  static void print(
      CommandOutput out,
      Diagnosis diagnosis,
      Optional<ClusterStatus> view,
      List<LocalServer> local) {
    out.line(diagnosis.line());
    if (view.isEmpty()) {
      local.forEach(
          server ->
              out.line(
                  "%-6s %-21s %s"
                      .formatted(server.name(), server.endpoint(), "process " + process(server))));
      return;
    }
    var text = new StatusText(out, view.get());
    text.printLayout();
    text.printServers();
    text.printTroubles(diagnosis);
    text.printCopying(diagnosis.copying());
    text.printScrubbing();
    text.printSecurity();
  }

  private void printLayout() {
    long fewest =
        layout.segments().stream()
            .flatMap(segment -> segment.log().stream())
            .mapToLong(
                chain -> chain.replicas().stream().filter(unit -> !view.isDown(unit)).count())
            .min()
            .orElse(0);
    layout
        .origin()
        .ifPresent(
            origin ->
                out.line(
                    "a mirror of cluster %s: appends of clients are refused until it is promoted"
                        .formatted(origin.source())));
    out.line(
        "epoch %s; %s; %d of %d copies of every entry; %d of %d spares"
                .formatted(
                    layout.epoch(),
                    appends(),
                    Math.min(fewest, layout.wanted().replicas()),
                    layout.wanted().replicas(),
                    view.usableSpares().size(),
                    layout.spares().size())
            + " can be used");
  }

  private String appends() {
    int units = layout.openSegment().units().size();
    return switch (view.appends()) {
      case TAKEN -> "%d of %d log units take appends".formatted(units, layout.wanted().units());
      case WAITING -> "appends wait";
      case REFUSED ->
          "%d of %d log units take what is mirrored".formatted(units, layout.wanted().units());
    };
  }

  private void printServers() {
    out.line("");
    out.line(
        ROW.formatted(
            "server", "address", "process", "state", "epoch", "entries", "live", "on disk", "free",
            "roles"));
    view.reports().forEach(this::printServer);
    for (LocalServer stranger : view.strangers()) {
      out.line(
          row(
              stranger.name(),
              stranger.endpoint(),
              process(stranger),
              "",
              Optional.empty(),
              Optional.empty(),
              "not in the layout"));
    }
  }

  private void printServer(ServerReport report) {
    Endpoint server = report.endpoint();
    String process =
        view.local().stream()
            .filter(local -> local.endpoint().equals(server))
            .findFirst()
            .map(StatusText::process)
            .orElse(UNKNOWN);
    String name = names.of(server);
    out.line(
        row(
            name.equals(server.toString()) ? UNKNOWN : name,
            server,
            process,
            state(report),
            report.status(),
            report.usage(),
            String.join(", ", roles(server, report.status()))));
  }

  private static String row(
      String name,
      Endpoint server,
      String process,
      String state,
      Optional<NodeReply.Status> status,
      Optional<LogUnitReply.Usage> usage,
      String roles) {
    return ROW.formatted(
            name,
            server,
            process,
            state,
            status.map(told -> told.epoch().toString()).orElse(UNKNOWN),
            usage.map(told -> "%,d".formatted(told.entries())).orElse(UNKNOWN),
            usage.map(told -> Units.bytes(told.liveBytes())).orElse(UNKNOWN),
            usage.map(told -> Units.bytes(told.fileBytes())).orElse(UNKNOWN),
            usage.map(told -> Units.bytes(told.freeBytes())).orElse(UNKNOWN),
            roles)
        .stripTrailing();
  }

  private static String process(LocalServer server) {
    return server.process().map(process -> Long.toString(process.pid())).orElse("none");
  }

  /** Returns whether a server is up, and for how long. */
  private String state(ServerReport report) {
    var seen = view.clusterHealth().of(report.endpoint());
    if (report.status().isPresent() && !seen.suspected()) {
      return seen.steadyMillis() == 0 ? "up" : "up " + time(seen.steadyMillis());
    }
    return seen.silentMillis() == 0 ? "silent" : "silent " + time(seen.silentMillis());
  }

  private static String time(long millis) {
    return Units.time(Duration.ofMillis(millis));
  }

  /** Returns the roles of a server, each with its state unless it serves. */
  private List<String> roles(Endpoint server, Optional<NodeReply.Status> status) {
    if (status.isEmpty()) {
      return expectedRoles(server);
    }
    Health health = status.get().health();
    List<String> roles = new ArrayList<>();
    if (layout.sequencers().contains(server)) {
      boolean serves = layout.sequencers().getFirst().equals(server);
      roles.add("sequencer" + (serves ? state(health.sequencer()) : " (stands by)"));
    }
    if (layout.layoutServers().contains(server)) {
      boolean votes = health.layoutServer() == Health.State.SERVING;
      roles.add("layout-server" + (votes ? "" : " (does not vote)"));
    }
    for (var member : layout.units()) {
      if (member.endpoint().equals(server)) {
        boolean isSpare = layout.spares().contains(server);
        roles.add(
            "log-unit"
                + (member.retiring()
                    ? " (leaves)"
                    : isSpare ? spare(server) : state(health.logUnit())));
      }
    }
    return roles;
  }

  private String spare(Endpoint server) {
    return view.usableSpares().contains(server) ? " (spare)" : " (spare, not yet trusted)";
  }

  private static String state(Health.State state) {
    return switch (state) {
      case SERVING -> "";
      case SEALED -> " (sealed)";
      case IDLE -> " (at rest)";
      case BROKEN -> " (broken)";
      case ABSENT -> " (missing)";
    };
  }

  /** Returns the roles of a silent server in the layout. */
  private List<String> expectedRoles(Endpoint server) {
    List<String> roles = new ArrayList<>();
    if (layout.sequencers().contains(server)) {
      roles.add("sequencer");
    }
    if (layout.layoutServers().contains(server)) {
      roles.add("layout-server");
    }
    if (layout.units().stream().anyMatch(member -> member.endpoint().equals(server))) {
      roles.add(layout.spares().contains(server) ? "log-unit (spare)" : "log-unit");
    }
    return roles;
  }

  private void printTroubles(Diagnosis diagnosis) {
    if (!diagnosis.troubles().isEmpty()) {
      out.line("");
      out.line("wrong:");
      diagnosis.troubles().forEach(trouble -> out.line("  " + trouble.text()));
    }
  }

  /** Prints log units with damaged entries. JSON has the scrubbing progress of all of them. */
  private void printScrubbing() {
    List<String> lines = new ArrayList<>();
    for (ServerReport report : view.reports()) {
      report
          .scrubbed()
          .filter(told -> told.found() > 0)
          .ifPresent(told -> lines.add("  " + names.of(report.endpoint()) + ": " + line(told)));
    }
    if (!lines.isEmpty()) {
      out.line("");
      out.line("damaged on disk:");
      lines.forEach(out::line);
    }
  }

  /** Prints the encryption of the connections, unless this client has none. */
  private void printSecurity() {
    ConnectionSecurity security = view.security();
    if (security.client().isEmpty()) {
      return;
    }
    TlsStatus client = security.client().get();
    out.line("");
    out.line(
        "TLS %s, by %s; this client is %s"
            .formatted(
                client.mode().name().toLowerCase(Locale.ROOT),
                client.engine(),
                client.identity().map(Object::toString).orElse("anonymous")));
    for (ServerReport report : view.reports()) {
      Endpoint server = report.endpoint();
      Optional<ServerCertificate> shown = Optional.ofNullable(security.servers().get(server));
      out.line(
          "  %-6s %s"
              .formatted(
                  names.of(server),
                  shown
                      .map(
                          one ->
                              "%s, valid until %s, %d days left"
                                  .formatted(
                                      one.identity(),
                                      one.notAfter().atZone(ZoneOffset.UTC).toLocalDate(),
                                      security.daysLeft(server).orElse(0L)))
                      .orElse("not encrypted")));
    }
  }

  private static String line(LogUnitReply.Scrubbed told) {
    String what =
        "%,d corrupt entries found since it started, %,d repaired, %,d waiting; scrubbed %,d times,"
                .formatted(told.found(), told.repaired(), told.waiting(), told.rounds())
            + " %s of %s this time"
                .formatted(Units.bytes(told.doneBytes()), Units.bytes(told.roundBytes()));
    return told.detail().isEmpty() ? what : what + "; " + told.detail();
  }

  private void printCopying(List<SegmentCopy> all) {
    if (!all.isEmpty()) {
      out.line("");
      out.line("being copied:");
      all.forEach(one -> out.line("  " + line(one)));
    }
  }

  private String line(SegmentCopy one) {
    String what = "addresses " + Diagnosis.range(one.segment());
    if (!one.to().isEmpty()) {
      what += ", from " + names.of(one.from()) + " to " + names.of(one.to());
    }
    return one.progress().isEmpty()
        ? what + ": not begun"
        : "%s: %d %%, %s at %s/s%s"
            .formatted(
                what,
                one.percent(),
                Units.bytes(one.bytes()),
                Units.bytes(one.bytesPerSecond()),
                Diagnosis.left(SegmentCopy.timeLeft(List.of(one))));
  }
}
