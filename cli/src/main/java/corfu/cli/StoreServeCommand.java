package corfu.cli;

import corfu.store.Store;
import corfu.store.StoreOptions;
import corfu.store.http.StoreServer;
import corfu.store.http.StoreServerOptions;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    description = {
      "Serves a key-value store over HTTP until it is stopped.",
      "It asks nobody for a password: let it listen where only those can reach it who may."
    },
    footer = {
      "",
      "Examples:",
      "  corfu store serve --dir /tmp/c --port 9100",
      "  curl -X PUT --data 10 http://127.0.0.1:9100/v1/keys/pens",
      "  curl http://127.0.0.1:9100/v1/keys/pens"
    })
final class StoreServeCommand implements Callable<Integer> {

  /** Whoever has sent only half of a request's head by then is cut off, in seconds. */
  private static final String HEAD_TIME = "30";

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "store",
      description = "Which store (default: ${DEFAULT-VALUE}).")
  private String name = "store";

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "On which address to listen (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "9100",
      description = "On which port; 0: any free one (default: ${DEFAULT-VALUE}).")
  private int port = 9100;

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      defaultValue = "100663296",
      description = "The largest body of a request (default: ${DEFAULT-VALUE}).")
  private int maxBody = 96 << 20;

  @Option(
      names = "--max-requests",
      paramLabel = "N",
      defaultValue = "256",
      description = "How many requests are served at the same time (default: ${DEFAULT-VALUE}).")
  private int maxRequests = 256;

  StoreServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Logging.talkative();
    System.setProperty("sun.net.httpserver.maxReqTime", HEAD_TIME);
    try (var corfu = connection.connect();
        var store = Store.open(corfu, name, StoreOptions.DEFAULT);
        var server = StoreServer.start(store, corfu.streamAccess().world(), options())) {
      String url = "http://" + host + ":" + server.address().getPort();
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
    InetSocketAddress listen = new InetSocketAddress(host, port);
    if (listen.isUnresolved()) {
      throw new CommandException(ExitCode.USAGE, "there is no address " + host);
    }
    return StoreServerOptions.at(listen).withMaxBodyBytes(maxBody).withMaxRequests(maxRequests);
  }
}
