package corfu.cli.disk;

import corfu.cli.argument.ByteCount;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Logging;
import corfu.cli.connection.ConnectionOptions;
import corfu.cli.output.CommandOutput;
import corfu.cli.output.OutputOptions;
import corfu.cli.output.Terminal;
import corfu.disk.DiskAccess;
import corfu.disk.DiskExports;
import corfu.disk.DiskOptions;
import corfu.disk.IfInUse;
import corfu.nbd.NbdServer;
import corfu.nbd.NbdServerOptions;
import corfu.runtime.Corfu;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    description = {
      "Serves all disks by NBD until you stop it: each by its name, and NAME@V read-only.",
      "It prints a URI for each disk when it is ready. The first connection to a disk makes this"
          + " server its only writer. A disk that another server writes is refused, unless that"
          + " process has ended on this machine, or you start this server with --takeover."
    },
    footer = {
      "",
      "Examples:",
      "  corfu disk serve --dir /tmp/c --port 10809",
      "  corfu disk serve --dir /tmp/c --socket /run/corfu-disk.sock",
      "  corfu disk serve --servers 10.0.0.1:9000 --host 0.0.0.0 --nbd-tls-psk keys.psk"
    })
final class DiskServeCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();
  @Mixin private final DiskListenOptions listen = new DiskListenOptions();
  @Mixin private final TakeoverOption takeover = new TakeoverOption();

  @Option(
      names = "--read-only",
      description =
          "Serve the version that is the newest when a client connects, read-only. Any number of"
              + " such servers may run beside a writer.")
  private boolean readOnly;

  @Option(
      names = "--cache",
      paramLabel = "BYTES",
      defaultValue = "256MiB",
      description =
          "Memory for blocks that were read, of all disks together; 0 keeps none (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteCount cache = new ByteCount(DiskOptions.DEFAULT.cacheBytes());

  DiskServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    NbdServerOptions options = listen.server();
    DiskAccess access = access();
    Logging.talkative();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    try (Corfu corfu = connection.connect();
        DiskExports exports = DiskExports.over(corfu, options(), access);
        NbdServer server = NbdServer.start(options, exports, corfu.streamAccess().world())) {
      // The disks are given back before the connection to the log closes.
      CompletableFuture<Void> stop = new CompletableFuture<>();
      Thread hook = new Thread(() -> stopAndWait(stop, closed), "shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      print(server, options, exports);
      stop.join();
      return ExitCode.OK;
    } finally {
      closed.complete(null);
    }
  }

  private static void stopAndWait(CompletableFuture<Void> stop, CompletableFuture<Void> closed) {
    stop.complete(null);
    closed.join();
  }

  private DiskOptions options() {
    return DiskOptions.DEFAULT.withCacheBytes(cache.bytes());
  }

  private DiskAccess access() {
    boolean takesOver = takeover.ifInUse() == IfInUse.TAKE_OVER;
    if (readOnly && takesOver) {
      throw new CommandException(ExitCode.USAGE, "give --read-only or --takeover, not both");
    }
    return readOnly ? DiskAccess.READ_ONLY : takesOver ? DiskAccess.TAKE_OVER : DiskAccess.WRITE;
  }

  private void print(NbdServer server, NbdServerOptions options, DiskExports exports) {
    List<String> uris =
        exports.names().join().stream()
            .map(name -> DiskListenOptions.uri(server.address(), options, name))
            .toList();
    try (var out = new CommandOutput(terminal.out())) {
      if (style.json()) {
        out.json(
            json -> {
              json.writeStringField("ready", server.address().toString());
              json.writeArrayFieldStart("uris");
              for (String uri : uris) {
                json.writeString(uri);
              }
              json.writeEndArray();
            });
      } else {
        out.line("ready on " + server.address());
        uris.forEach(out::line);
      }
    }
  }
}
