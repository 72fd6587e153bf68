package corfu.bench.zookeeper;

import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.LiveHeap;
import corfu.bench.harness.TetheredMain;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The process of one server with the protocol of ZooKeeper. It ends with this process. */
final class EnsembleServer implements AutoCloseable {

  private static final int MOST_LINES = 5;

  private final Process process;
  private final Path log;
  private final int port;

  private EnsembleServer(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts a server, and does not wait until it serves.
   *
   * @param heapMiB the maximal heap, in MiB
   * @param log the file for its output
   * @param port the client port, 1 to 65,535
   * @param mainClass the main class of the server
   */
  static EnsembleServer start(
      JavaCommand java, int heapMiB, Path log, int port, String mainClass, String... arguments)
      throws IOException {
    List<String> flags = new ArrayList<>(java.flags());
    flags.removeIf(flag -> flag.startsWith("-Xmx"));
    flags.add("-Xmx%dm".formatted(heapMiB));
    var command =
        new JavaCommand(java.executable(), flags, java.classPath(), TetheredMain.class.getName());
    String[] all = Stream.concat(Stream.of(mainClass), Stream.of(arguments)).toArray(String[]::new);
    var builder = command.with(all);
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new EnsembleServer(builder.start(), log, port);
  }

  /** Returns the client address. */
  String address() {
    return "127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  /** Returns the processor time so far. */
  Duration cpu() {
    return LimitComparison.cpuOf(process.toHandle());
  }

  /** Collects all garbage and returns the bytes of the objects that live. */
  long liveHeapBytes() throws IOException, InterruptedException {
    return LiveHeap.of(process.pid());
  }

  /**
   * Waits until the server grants a session.
   *
   * @throws IllegalStateException if the server ends, or grants none before the timeout
   */
  void await(Duration timeout) throws InterruptedException {
    long begin = System.nanoTime();
    while (!ServerProbe.grantsSession(port)) {
      if (!process.isAlive()) {
        throw new IllegalStateException(
            "the server at %s ended with status %d: %s"
                .formatted(address(), process.exitValue(), lastLines()));
      }
      if (System.nanoTime() - begin > timeout.toNanos()) {
        throw new IllegalStateException(
            "the server at %s grants no session after %d s: %s"
                .formatted(address(), timeout.toSeconds(), lastLines()));
      }
      Thread.sleep(ServerProbe.PAUSE);
    }
  }

  private String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join("; ", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
    } catch (IOException e) {
      return "its output cannot be read: " + e.getMessage();
    }
  }

  /** Kills the process and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
