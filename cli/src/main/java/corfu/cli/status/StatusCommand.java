package corfu.cli.status;

import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ClusterOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.node.local.LocalServer;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "status",
    description = {
      "Shows the health of a cluster in one line, then its servers, its problems and its running"
          + " copies.",
      "The exit status is 0 if the cluster is healthy. It is 11 if the cluster serves with fewer"
          + " copies or spares than configured, or with little free space. It is 3 if appends or"
          + " reads wait, or if appends fail because a log unit is full."
    },
    footer = {
      "",
      "Examples:",
      "  corfu status --dir /tmp/c",
      "  corfu status --servers 10.0.0.1:9000,10.0.0.2:9000 --watch"
    })
public final class StatusCommand implements Callable<Integer> {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String CLEAR = "\033[H\033[2J";

  private final Terminal terminal;
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "Time limit of the servers' answers, as 500ms or 3s (default: 3s).")
  private Duration timeout = Duration.ofSeconds(3);

  @Option(
      names = "--watch",
      description = "Print the status again every second, until you stop it.")
  private boolean watch;

  public StatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One observation; it has no view if no server answers. */
  private record Look(Diagnosis diagnosis, Optional<ClusterStatus> view, List<LocalServer> local) {}

  @Override
  public Integer call() throws InterruptedException {
    try (var out = new CommandOutput(terminal.out());
        var eye = new Eye()) {
      Look look = eye.look();
      print(out, look);
      while (watch) {
        Thread.sleep(PAUSE);
        look = eye.look();
        print(out, look);
      }
      return look.diagnosis().verdict().exitCode();
    }
  }

  private void print(CommandOutput out, Look look) {
    if (style.json()) {
      StatusJson.print(out, look.diagnosis(), look.view(), look.local());
    } else {
      if (watch && terminal.interactive().getAsBoolean()) {
        out.text(CLEAR);
      }
      StatusText.print(out, look.diagnosis(), look.view(), look.local());
      if (watch) {
        out.line("");
      }
    }
    out.flush();
  }

  /** Observes the cluster over one connection. */
  private final class Eye implements AutoCloseable {
    private Optional<AdminClient> admin = Optional.empty();

    private Look look() {
      List<LocalServer> local = cluster.processes();
      try {
        if (admin.isEmpty()) {
          admin = Optional.of(new AdminClient(cluster.connection(timeout), cluster.supervision()));
        }
        ClusterStatus view = ClusterStatus.of(admin.get(), local);
        return new Look(Diagnosis.of(view), Optional.of(view), local);
      } catch (UnavailableException nobody) {
        boolean isStopped = !local.isEmpty() && local.stream().noneMatch(LocalServer::isRunning);
        String reason = isStopped ? "no server runs" : String.valueOf(nobody.getMessage());
        return new Look(Diagnosis.silent(reason), Optional.empty(), local);
      }
    }

    @Override
    public void close() {
      admin.ifPresent(AdminClient::close);
    }
  }
}
