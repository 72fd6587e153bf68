package corfu.cli.zookeeper;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Failures;
import corfu.cli.command.Logging;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.runtime.Corfu;
import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "serve",
    description = {
      "Runs one server of a namespace until you stop it.",
      "It prints its connect string when it serves. Start further servers for more reads, and give"
          + " their connect strings to clients, separated by commas."
    },
    footer = {
      "",
      "Examples:",
      "  corfu zookeeper serve --dir /tmp/c --port 2181",
      "  corfu zookeeper serve --dir /tmp/c --secure-port 2281 --poll push"
    })
final class ZooKeeperServeCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final ServeOptions server = new ServeOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  ZooKeeperServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    Logging.talkative();
    ZooKeeperOptions options = server.service();
    Corfu corfu = connection.connect();
    ZooKeeperService service = open(corfu, options);
    // The server leaves the config node before the connection to the log closes.
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Runnable close = () -> close(service, corfu, closed);
    Thread hook = new Thread(close, "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      CompletableFuture.anyOf(service.serving(), service.ended()).get();
      print(options, service);
      service.ended().get();
      closed.get(); // only the hook ends a server without a failure
      return ExitCode.OK;
    } catch (ExecutionException failed) {
      throw new CommandException(
          ExitCode.FAILED,
          "the server of namespace %s has stopped: %s"
              .formatted(options.namespace(), Failures.describe(Failures.unwrap(failed))),
          failed);
    } finally {
      end(hook, close, closed);
    }
  }

  /** Closes the server in this thread, unless the process is shutting down. */
  private static void end(Thread hook, Runnable close, CompletableFuture<Void> closed) {
    try {
      if (!closed.isDone() && Runtime.getRuntime().removeShutdownHook(hook)) {
        close.run();
      }
    } catch (IllegalStateException shuttingDown) {
      closed.join();
    }
  }

  private static ZooKeeperService open(Corfu corfu, ZooKeeperOptions options) throws IOException {
    try {
      return ZooKeeperService.open(corfu, options);
    } catch (BindException taken) {
      corfu.close();
      var address = options.listen().clientAddress();
      throw new CommandException(
          ExitCode.FAILED,
          "cannot listen on %s:%d: %s; choose another port"
              .formatted(address.getHostString(), address.getPort(), taken.getMessage()),
          taken);
    } catch (IOException | RuntimeException failure) {
      corfu.close();
      throw failure;
    }
  }

  private static void close(ZooKeeperService service, Corfu corfu, CompletableFuture<Void> closed) {
    try {
      service.close();
      corfu.close();
    } finally {
      closed.complete(null);
    }
  }

  private void print(ZooKeeperOptions options, ZooKeeperService service) {
    String connect = options.listen().advertisedHost() + ":" + service.clientPort();
    style.print(
        terminal,
        "namespace " + options.namespace() + " is served at " + connect,
        json -> {
          json.writeStringField("namespace", options.namespace());
          json.writeStringField("connect", connect);
        });
  }
}
