package corfu.cli.connection;

import corfu.cli.argument.OperationTimeout;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The options of a command that connects to a cluster. */
public final class ConnectionOptions {

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final OperationTimeout timeout = new OperationTimeout();

  /** Connects; the caller closes. */
  public Corfu connect() {
    return Corfu.connect(options());
  }

  /** Connects as an administrator, who inspects or changes the cluster; the caller closes. */
  public AdminClient admin() {
    return new AdminClient(options(), cluster.supervision());
  }

  /** Returns the options of a connection to servers of another cluster, with the same TLS. */
  public CorfuOptions optionsTo(List<Endpoint> others) {
    return CorfuOptions.of(others).withTls(options().tls());
  }

  public CorfuOptions options() {
    return cluster.connection(timeout.value());
  }

  /** Returns the arguments that make the same connection in another process. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>(cluster.arguments());
    arguments.addAll(List.of("--timeout", timeout.value().toMillis() + "ms"));
    return arguments;
  }
}
