package corfu.cli;

import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command reaches a cluster. */
final class ConnectionOptions {

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long an operation may take, as 500ms, 10s or 2m (default: 10s).")
  private Duration timeout = Duration.ofSeconds(10);

  /** Connects; the caller closes. */
  Corfu connect() {
    return Corfu.connect(options());
  }

  /** Connects with what it takes to change the cluster; the caller closes. */
  Operator operator() {
    return new Operator(options(), cluster.supervision());
  }

  CorfuOptions options() {
    return cluster.connection(timeout);
  }
}
