package corfu.cli.layout;

import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ClusterOptions;
import corfu.cli.output.OutputOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster is to be changed, and whether to wait for it. */
final class LayoutChangeOptions {

  private static final Duration ANSWERS = Duration.ofSeconds(10);

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = {
        "How long to wait until it is done (default: 10m). The cluster goes on with it",
        "afterwards, too."
      })
  private Duration timeout = Duration.ofMinutes(10);

  @Option(
      names = "--no-wait",
      description = "Return when it is decided; the cluster does the rest by itself.")
  private boolean leave;

  /** Connects; the caller closes. */
  AdminClient connect() {
    return new AdminClient(cluster.connection(ANSWERS), cluster.supervision());
  }

  ClusterOptions cluster() {
    return cluster;
  }

  OutputOptions style() {
    return style;
  }

  Duration timeout() {
    return timeout;
  }

  boolean waits() {
    return !leave;
  }
}
