package corfu.cli.status;

import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ClusterOptions;
import corfu.cli.output.Output;
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
      "Shows how a cluster is: in one line, then each server, what is wrong, and what is being"
          + " copied.",
      "The exit status is 0 when it is healthy, 11 when it serves but can bear less than it should"
          + " or has little space left, 3 when appends or reads wait, or when appends fail because"
          + " a log unit is full."
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
      description = "How long to wait for answers (default: 3s).")
  private Duration timeout = Duration.ofSeconds(3);

  @Option(names = "--watch", description = "Look again every second, until interrupted.")
  private boolean watch;

  public StatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One look; without a view when nobody answers. */
  private record Look(Diagnosis diagnosis, Optional<ClusterStatus> view, List<LocalServer> local) {}

  @Override
  public Integer call() throws InterruptedException {
    try (var out = new Output(terminal.out());
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

  private void print(Output out, Look look) {
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

  /** Looks, and keeps its connection from one look to the next. */
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
