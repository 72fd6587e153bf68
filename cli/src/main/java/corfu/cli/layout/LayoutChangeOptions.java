package corfu.cli.layout;

import corfu.cli.connection.AdminClient;
import corfu.cli.connection.ClusterOptions;
import corfu.cli.output.OutputOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that changes the layout of a cluster. */
final class LayoutChangeOptions {

  private static final Duration ANSWERS = Duration.ofSeconds(10);

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "Time limit of the change, as 30s or 10m. Afterwards the cluster still completes the"
              + " change (default: 10m).")
  private Duration timeout = Duration.ofMinutes(10);

  @Option(
      names = "--no-wait",
      description =
          "Return when the layout is decided; the cluster completes the change by itself.")
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
