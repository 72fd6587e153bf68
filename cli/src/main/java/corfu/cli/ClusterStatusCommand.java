package corfu.cli;

import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.message.LogUnitReply;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.ServerReport;
import corfu.runtime.UnavailableException;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "status",
    description = {
      "Shows each server: its process, what it does, how full it is.",
      "The exit status is 0 when all servers answer, else 3."
    },
    footer = {"", "Example:", "  corfu cluster status --dir /tmp/c"})
final class ClusterStatusCommand implements Callable<Integer> {

  private static final String ROW = "%-6s %-8s %-21s %-36s %6s %12s %12s %-9s%s";

  private final Terminal terminal;
  @Mixin private final ClusterCommand.Directory directory = new ClusterCommand.Directory();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long to wait for answers (default: 3s).")
  private Duration timeout = Duration.ofSeconds(3);

  ClusterStatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** A server as its process shows it, and as it says itself. */
  private record Row(LocalServer server, Optional<ServerReport> report) {

    private boolean answers() {
      return report.flatMap(ServerReport::status).isPresent();
    }

    private Optional<LogUnitReply.Usage> usage() {
      return report.flatMap(ServerReport::usage);
    }

    private String problem() {
      if (!server.isRunning()) {
        return "not running";
      }
      return report.map(ServerReport::problem).orElse("does not answer");
    }
  }

  @Override
  public Integer call() {
    try (var world = new RealWorld();
        var out = new Output(terminal.out())) {
      var servers = directory.cluster(world).servers();
      var reports = servers.stream().anyMatch(LocalServer::isRunning) ? ask(servers) : noReports();
      var rows =
          servers.stream()
              .map(server -> new Row(server, Optional.ofNullable(reports.get(server.endpoint()))))
              .toList();
      if (style.json()) {
        rows.forEach(row -> printJson(out, row));
      } else {
        out.line(
            ROW.formatted(
                "server", "process", "address", "roles", "epoch", "entries", "bytes", "mode", ""));
        rows.forEach(row -> printText(out, row));
      }
      return rows.stream().allMatch(Row::answers) ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }
  }

  private static Map<Endpoint, ServerReport> noReports() {
    return Map.of();
  }

  private Map<Endpoint, ServerReport> ask(List<LocalServer> servers) {
    var endpoints = servers.stream().map(LocalServer::endpoint).toList();
    try (var corfu = Corfu.connect(CorfuOptions.of(endpoints).withOperationTimeout(timeout))) {
      return corfu.servers().stream()
          .collect(Collectors.toMap(ServerReport::endpoint, Function.identity()));
    } catch (UnavailableException e) {
      terminal.note("corfu: " + e.getMessage());
      return noReports();
    }
  }

  private static String pid(LocalServer server) {
    return server.process().map(process -> Long.toString(process.pid())).orElse("-");
  }

  private static void printText(Output out, Row row) {
    var status = row.report().flatMap(ServerReport::status);
    var usage = row.usage();
    out.line(
        ROW.formatted(
                row.server().name(),
                pid(row.server()),
                row.server().endpoint(),
                status.map(s -> String.join(",", s.roles())).orElse("-"),
                status.map(s -> s.epoch().toString()).orElse("-"),
                usage.map(u -> Long.toString(u.entries())).orElse("-"),
                usage.map(u -> Long.toString(u.liveBytes())).orElse("-"),
                usage.map(LogUnitReply.Usage::mode).orElse("-"),
                row.answers() ? "" : " " + row.problem())
            .stripTrailing());
  }

  private static void printJson(Output out, Row row) {
    out.json(
        json -> {
          json.writeStringField("server", row.server().name());
          json.writeStringField("address", row.server().endpoint().toString());
          var process = row.server().process();
          if (process.isPresent()) {
            json.writeNumberField("pid", process.get().pid());
          }
          json.writeBooleanField("answers", row.answers());
          if (!row.answers()) {
            json.writeStringField("problem", row.problem());
          }
          var status = row.report().flatMap(ServerReport::status);
          if (status.isPresent()) {
            json.writeNumberField("epoch", status.get().epoch().value());
            json.writeArrayFieldStart("roles");
            for (String role : status.get().roles()) {
              json.writeString(role);
            }
            json.writeEndArray();
          }
          if (row.usage().isPresent()) {
            var usage = row.usage().get();
            json.writeNumberField("entries", usage.entries());
            json.writeNumberField("liveBytes", usage.liveBytes());
            json.writeNumberField("fileBytes", usage.fileBytes());
            json.writeNumberField("freeBytes", usage.freeBytes());
            json.writeStringField("mode", usage.mode());
          }
        });
  }
}
