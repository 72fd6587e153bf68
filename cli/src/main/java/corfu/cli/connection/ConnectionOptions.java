package corfu.cli.connection;

import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command reaches a cluster. */
public final class ConnectionOptions {

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long an operation may take, as 500ms, 10s or 2m (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  /** Connects; the caller closes. */
  public Corfu connect() {
    return Corfu.connect(options());
  }

  /** Connects with what it takes to change the cluster; the caller closes. */
  public AdminClient admin() {
    return new AdminClient(options(), cluster.supervision());
  }

  public CorfuOptions options() {
    return cluster.connection(timeout);
  }
}
