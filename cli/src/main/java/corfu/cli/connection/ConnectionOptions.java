package corfu.cli.connection;

import corfu.access.Subject;
import corfu.cli.argument.OperationTimeout;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.tls.TlsCredentials;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
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

  /** Returns the administrators by the cluster's configuration, if it is on this machine. */
  public List<Subject> administrators() {
    return cluster.administrators();
  }

  /** Returns the identity that the client's certificate proves; anonymous if it has none. */
  public Identity identity() {
    TlsOptions tls = options().tls();
    if (tls.mode() == TlsMode.OFF || tls.certificate().isEmpty()) {
      return Identity.ANONYMOUS;
    }
    try (RealWorld world = new RealWorld();
        TlsCredentials credentials = TlsCredentials.open(world, tls)) {
      return credentials.identity();
    }
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
