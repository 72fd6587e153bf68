package corfu.zookeeper.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One standalone server of Apache ZooKeeper in a process of its own. */
public final class RealSubject implements Subject {

  private static final int TICK_MILLIS = 50;

  private final String name;
  private final SubjectOptions options;
  private final Path data;
  private ServerProcess process;
  private int port;

  private RealSubject(String name, SubjectOptions options, Path data) {
    this.name = name;
    this.options = options;
    this.data = data;
  }

  /**
   * Starts a server with empty data on a free port.
   *
   * @param name the name for messages
   * @throws IOException if the server does not start
   */
  public static RealSubject start(String name, SubjectOptions options) throws IOException {
    var subject = new RealSubject(name, options, Files.createTempDirectory("corfu-zookeeper-"));
    subject.launch();
    return subject;
  }

  /**
   * Starts a server with the data of a directory, which it deletes when it closes.
   *
   * @param data the directory that has the directory {@code version-2}
   * @throws IOException if the server does not start
   */
  public static RealSubject startOn(Path data, SubjectOptions options) throws IOException {
    var subject = new RealSubject("ZooKeeper", options, data);
    subject.launch();
    return subject;
  }

  /** Returns the directory of the snapshots and the transaction logs. */
  public Path data() {
    return data;
  }

  private void launch() throws IOException {
    process =
        ServerProcess.start(
            RealServer.class,
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
    port = process.port();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void restart() throws IOException {
    end();
    launch();
  }

  private void end() {
    process.kill();
  }

  @Override
  public long liveHeapBytes() throws IOException {
    return process.liveHeapBytes();
  }

  @Override
  public void close() {
    end();
    try {
      Files.deleteIfExists(Path.of(data + ".log"));
      ServerProcess.deleteAll(data);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + data, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
