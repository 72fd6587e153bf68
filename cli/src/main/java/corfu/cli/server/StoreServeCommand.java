package corfu.cli.server;

import corfu.cli.argument.InsecureListenOption;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.store.http.StoreServer;
import corfu.store.http.StoreServerException;
import corfu.store.http.StoreServerOptions;
import corfu.store.http.access.StoreSecurity;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    description = {
      "Serves a key-value store over HTTP or HTTPS until you stop it.",
      "With --https-cert it serves only clients with an identity, by the permissions of the"
          + " cluster. Without, everyone who reaches the port may do everything."
    },
    footer = {
      "",
      "Examples:",
      "  corfu store serve --dir /tmp/c --port 9100",
      "  curl -X PUT --data 10 http://127.0.0.1:9100/v1/keys/pens",
      "  curl http://127.0.0.1:9100/v1/keys/pens",
      "  corfu store serve --dir /tmp/c --listen 0.0.0.0 --https-cert store.pem"
    })
final class StoreServeCommand implements Callable<Integer> {

  private static final int LARGEST_PORT = 65_535;

  /**
   * System properties of the JDK's HTTP server, which reads them once. A head holds a key, which
   * has up to 3 KiB percent-encoded.
   */
  private static final Map<String, String> HTTP_SERVER =
      Map.of(
          "sun.net.httpserver.maxReqHeaderSize", "16384",
          "sun.net.httpserver.nodelay", "true",
          "jdk.httpserver.maxConnections", "10000");

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final HttpsOptions https = new HttpsOptions();
  @Mixin private final InsecureListenOption insecureListen = new InsecureListenOption();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "store",
      description = "Name of the store (default: ${DEFAULT-VALUE}).")
  private String name = "store";

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "Address to listen on, a name or an IP address (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9100",
      description =
          "Port to listen on, 0 to 65535; 0 means any free one (default: ${DEFAULT-VALUE}).")
  private int port = 9100;

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      description =
          "Largest size of a request's body in bytes (default: 100663296, or less if --max-memory"
              + " does not allow it).")
  private Optional<Integer> maxBody = Optional.empty();

  @Option(
      names = "--max-memory",
      paramLabel = "BYTES",
      description = "Memory of all requests together, in bytes (default: a quarter of the heap).")
  private Optional<Long> maxMemory = Optional.empty();

  @Option(
      names = "--max-requests",
      paramLabel = "N",
      defaultValue = "256",
      description = "Number of requests at the same time, 1 or more (default: ${DEFAULT-VALUE}).")
  private int maxRequests = 256;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "1024",
      description =
          "Number of connections in use at the same time, 1 or more. One more displaces the slowest"
              + " one (default: ${DEFAULT-VALUE}).")
  private int maxConnections = 1024;

  StoreServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Logging.talkative();
    HTTP_SERVER.forEach(System::setProperty);
    StoreServerOptions options = options();
    if (!https.isOn()) {
      insecureListen.check(host, "give --https-cert FILE");
    }
    StoreSecurity security =
        https.security(connection.options().tls(), connection.administrators());
    try (var corfu = connection.connect();
        var store = KeyValueStore.open(corfu, name, StoreOptions.DEFAULT);
        var server = StoreServer.start(store, corfu, options, security)) {
      String scheme = security.isOn() ? "https" : "http";
      String url = scheme + "://" + host + ":" + server.address().getPort();
      style.print(
          terminal,
          "store " + name + " is served at " + url,
          json -> {
            json.writeStringField("store", name);
            json.writeStringField("url", url);
          });
      new CountDownLatch(1).await(); // until the process is stopped
      return ExitCode.OK;
    }
  }

  private StoreServerOptions options() {
    if (port < 0 || port > LARGEST_PORT) {
      throw usage("--port is a number from 0 to %d, but not %d".formatted(LARGEST_PORT, port));
    }
    InetSocketAddress listen = new InetSocketAddress(host, port);
    if (listen.isUnresolved()) {
      throw usage("there is no address " + host);
    }
    try {
      StoreServerOptions options =
          StoreServerOptions.at(listen)
              .withMaxRequests(maxRequests)
              .withMaxConnections(maxConnections);
      if (maxMemory.isPresent()) {
        options = options.withMaxMemoryBytes(maxMemory.get());
      }
      if (maxBody.isPresent()) {
        options = options.withMaxBodyBytes(maxBody.get());
      }
      options.check(StoreOptions.DEFAULT);
      return options;
    } catch (IllegalArgumentException | StoreServerException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }
}
