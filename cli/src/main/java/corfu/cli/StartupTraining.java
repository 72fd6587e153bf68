package corfu.cli;

import corfu.cli.output.Terminal;
import corfu.disk.DiskAccess;
import corfu.disk.DiskExports;
import corfu.disk.DiskOptions;
import corfu.nbd.BlockDevice;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.ServerConfig;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.world.RealWorld;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Does in one process what most commands do: it runs a server, appends, changes an object, and
 * serves a disk. The JVM records which classes that needs, and makes the cache with which commands
 * start faster. The build calls this program; it is no command.
 *
 * <p>Argument: the configuration file of a cluster of one server, whose directory is empty.
 */
public final class StartupTraining {

  private static final int BLOCK_BYTES = 4096;

  /** A build goes on without the cache. */
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Endpoint server;
  private final PrintStream out;

  private StartupTraining(Endpoint server, PrintStream out) {
    this.server = server;
    this.out = out;
  }

  public static void main(String[] arguments) {
    RealWorld world = new RealWorld();
    var unused = world.after(MOST_NANOS, () -> Runtime.getRuntime().halt(1));
    train(Path.of(arguments[0]), System.out);
    System.exit(0); // the served disk has threads of its own
  }

  /**
   * Runs the training, and returns while the server and its disk are still served.
   *
   * @param config the configuration file
   * @param out receives the commands and what they print
   * @throws IllegalStateException if a command fails
   */
  static void train(Path config, PrintStream out) {
    ClusterConfig cluster = ClusterConfig.read(config);
    List<ServerConfig> all = cluster.servers();
    Node node = Node.start(cluster, all.getFirst().name());
    Runtime.getRuntime().addShutdownHook(new Thread(node::close, "shutdown"));
    new StartupTraining(node.endpoint(), out).run(config);
  }

  private void run(Path config) {
    command("layout", "bootstrap", "--config", config.toString());
    use("append", "trained");
    use("tail");
    use("read", "0");
    use("stream", "append", "--stream", "trained", "entry");
    use("stream", "read", "--stream", "trained");
    use("disk", "create", "trained", "--size", "1MiB");
    use("disk", "list");
    useDisk();
    serveDisk(config.resolveSibling("disk"));
    use("status");
  }

  /** Runs a command on the server. */
  private void use(String... command) {
    String[] arguments = new String[command.length + 2];
    System.arraycopy(command, 0, arguments, 0, command.length);
    arguments[command.length] = "--servers";
    arguments[command.length + 1] = server.toString();
    command(arguments);
  }

  private void command(String... arguments) {
    out.println(String.join(" ", arguments));
    int status = Main.run(terminal(out), arguments);
    if (status != 0) {
      throw new IllegalStateException(
          "corfu %s ended with status %d".formatted(String.join(" ", arguments), status));
    }
  }

  private static Terminal terminal(OutputStream out) {
    return new Terminal(InputStream.nullInputStream(), out, out, () -> false);
  }

  private void useDisk() {
    try (Corfu corfu = Corfu.connect(CorfuOptions.of(List.of(server)));
        DiskExports exports = DiskExports.over(corfu, DiskOptions.DEFAULT, DiskAccess.WRITE);
        BlockDevice disk = exports.open("trained").join()) {
      disk.write(0, ByteBuffer.allocate(BLOCK_BYTES), false).join();
      disk.flush().join();
      var unused = disk.read(0, BLOCK_BYTES).join();
    }
  }

  /** Serves until the process ends. Returns when the server is ready. */
  private void serveDisk(Path socket) {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("disk-serve")
        .start(
            () -> {
              int status =
                  Main.run(
                      terminal(new ReadyOutput(ready)),
                      "disk",
                      "serve",
                      "--socket",
                      socket.toString(),
                      "--servers",
                      server.toString());
              ready.completeExceptionally(
                  new IllegalStateException("corfu disk serve ended with status " + status));
            });
    ready.join();
  }

  /** Notices the line that tells that a server is ready. */
  private static final class ReadyOutput extends OutputStream {

    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<Void> ready;

    ReadyOutput(CompletableFuture<Void> ready) {
      this.ready = ready;
    }

    @Override
    public synchronized void write(int b) {
      text.append((char) b);
      if (b == '\n' && text.toString().startsWith("ready")) {
        ready.complete(null);
      }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
      for (int i = from; i < from + count; i++) {
        write(bytes[i]);
      }
    }
  }
}
