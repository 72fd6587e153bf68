package corfu.cli.mirror;

import corfu.cli.argument.OperationTimeout;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.connection.TlsClientOptions;
import corfu.node.local.LocalCluster;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsCredentials;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the source cluster and the mirror. */
final class MirrorClusters {

  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(5);

  /** A source that does not answer for so long counts as down. */
  private static final Duration PROBE = Duration.ofSeconds(3);

  @Option(
      names = "--from",
      paramLabel = "CLUSTER",
      description = "Source cluster: its directory, or HOST:PORT,... of its servers.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "CLUSTER",
      required = true,
      description = "Mirror: its directory, or HOST:PORT,... of its servers.")
  private String to = "";

  @Mixin private final TlsClientOptions tls = new TlsClientOptions();

  @Mixin private final OperationTimeout timeout = new OperationTimeout();

  boolean hasSource() {
    return from.isPresent();
  }

  Corfu source() {
    return Corfu.connect(
        options(
            from.orElseThrow(
                () ->
                    new CommandException(
                        ExitCode.USAGE,
                        "say which cluster is the source: --from DIR or HOST:PORT,..."))));
  }

  /** Connects to the source; returns empty if it was not named or does not answer. */
  Optional<Corfu> livingSource() {
    try {
      return from.map(name -> Corfu.connect(options(name).withOperationTimeout(PROBE)));
    } catch (CorfuException silent) {
      return Optional.empty();
    }
  }

  private CorfuOptions options(String cluster) {
    return optionsOf(cluster).withOperationTimeout(timeout.value());
  }

  /** Returns the options of a local cluster with its own certificates, or those of the options. */
  private CorfuOptions optionsOf(String cluster) {
    try (var world = new RealWorld()) {
      var local = LocalCluster.at(Path.of(cluster), world);
      if (local.exists()) {
        CorfuOptions options = local.clientOptions();
        return options.withTls(tls.options(Optional.of(options.tls())));
      }
    }
    if (!cluster.contains(":")) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s is neither a cluster's directory nor HOST:PORT,...".formatted(cluster));
    }
    return CorfuOptions.of(Arrays.stream(cluster.split(",")).map(Endpoint::parse).toList())
        .withTls(tls.options());
  }

  /** Connects to the mirror; the caller closes. */
  Target target() {
    return new Target(options(to));
  }

  /** A connection to the mirror, which may change its layout. */
  static final class Target implements AutoCloseable {

    private final RealWorld world = new RealWorld();
    private final TlsCredentials credentials;
    private final Transport transport;
    private final Corfu corfu;
    private final Reconfiguration changes;

    private Target(CorfuOptions options) {
      credentials = TlsCredentials.open(world, options.tls());
      transport =
          TcpTransport.open(
              world,
              options::cluster,
              ClientOptions.DEFAULT.withLimits(options.limits()),
              credentials);
      changes = new Reconfiguration(world, transport, options.requestTimeout(), CHANGE_TIMEOUT);
      try {
        corfu = Corfu.connect(options, world, transport);
      } catch (RuntimeException failure) {
        close();
        throw failure;
      }
    }

    Corfu corfu() {
      return corfu;
    }

    Reconfiguration changes() {
      return changes;
    }

    @Override
    public void close() {
      transport.close();
      credentials.close();
      world.close();
    }
  }
}
