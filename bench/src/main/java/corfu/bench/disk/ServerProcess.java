package corfu.bench.disk;

import corfu.bench.harness.TetheredMain;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process that serves block devices on a Unix socket. */
final class ServerProcess implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 2;

  private final Process process;
  private final Path socket;
  private final Path log;

  private ServerProcess(Process process, Path socket, Path log) {
    this.process = process;
    this.socket = socket;
    this.log = log;
  }

  /** Starts a server of all disks of a cluster. It ends with this process. */
  static ServerProcess start(JavaCommand java, String servers, Path socket) throws IOException {
    return start(
        java.withMainClass(TetheredMain.class.getName())
            .with(
                java.mainClass(),
                "disk",
                "serve",
                "--servers",
                servers,
                "--cache",
                "2GiB", // the other server has the kernel's cache
                "--socket",
                socket.toString()),
        socket);
  }

  /** Starts a server of a local file of the operating system's distribution. */
  static ServerProcess ofFile(Path file, Path socket) throws IOException {
    return start(
        new ProcessBuilder(
            "nbdkit", "-f", "--exit-with-parent", "-U", socket.toString(), "file", file.toString()),
        socket);
  }

  private static ServerProcess start(ProcessBuilder builder, Path socket) throws IOException {
    Files.deleteIfExists(socket);
    Path log = socket.resolveSibling(socket.getFileName() + ".log");
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new ServerProcess(builder.start(), socket, log);
  }

  Path socket() {
    return socket;
  }

  /** Waits until clients can connect. */
  void awaitSocket() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!Files.exists(socket)) {
      if (!process.isAlive() || System.nanoTime() - begin > LIMIT.toNanos()) {
        process.destroyForcibly();
        throw new IOException(
            "no server listens on %s: %s"
                .formatted(socket, Files.readString(log, StandardCharsets.UTF_8)));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(LIMIT)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
