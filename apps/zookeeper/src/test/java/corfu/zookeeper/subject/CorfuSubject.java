package corfu.zookeeper.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A translation server with its log in a process of its own. */
public final class CorfuSubject implements Subject {

  private static final int TICK_MILLIS = 50;

  private final SubjectOptions options;
  private final Path data;
  private ServerProcess process;
  private int port;

  private CorfuSubject(SubjectOptions options, Path data) throws IOException {
    this.options = options;
    this.data = data;
    this.process = launch();
    this.port = process.port();
  }

  /**
   * Starts a server of an empty namespace on a free port.
   *
   * @throws IOException if the server does not start
   */
  public static CorfuSubject start(SubjectOptions options) throws IOException {
    return new CorfuSubject(options, Files.createTempDirectory("corfu-zookeeper"));
  }

  private ServerProcess launch() throws IOException {
    return ServerProcess.start(
        CorfuServer.class,
        List.of(
            data.toString(),
            String.valueOf(port),
            String.valueOf(TICK_MILLIS),
            String.valueOf(options.minSessionTimeoutMillis()),
            String.valueOf(SubjectOptions.MAX_SESSION_TIMEOUT_MILLIS),
            String.valueOf(options.maxConnections()),
            String.valueOf(options.containerCheckMillis())),
        options,
        Path.of(data + ".log"));
  }

  @Override
  public String name() {
    return "Corfu";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void restart() throws IOException {
    process.kill();
    process = launch();
  }

  @Override
  public long liveHeapBytes() throws IOException {
    return process.liveHeapBytes();
  }

  @Override
  public void close() {
    process.kill();
    try {
      Files.deleteIfExists(Path.of(data + ".log"));
      ServerProcess.deleteAll(data);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + data, e);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
