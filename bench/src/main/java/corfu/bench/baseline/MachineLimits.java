package corfu.bench.baseline;

import corfu.bench.harness.MachineLimit;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.nio.file.Path;

/** Creates the machine's limits for a benchmark. */
public final class MachineLimits implements AutoCloseable {

  /** The largest batch of one sync, in bytes: as much as shares one of our round trips. */
  private static final int LARGEST_BATCH_BYTES = 1 << 20;

  private static final int LARGEST_BATCH = 1024;

  private final ChildProcess echo;
  private final Path directory;

  private MachineLimits(ChildProcess echo, Path directory) {
    this.echo = echo;
    this.directory = directory;
  }

  /**
   * Starts an echo server in a process of its own.
   *
   * @param directory a directory for files, on the measured disk
   */
  public static MachineLimits start(JavaCommand java, Path directory) throws IOException {
    return new MachineLimits(ChildProcess.start(java, EchoServer.class), directory);
  }

  public MachineLimit echo(Echo.Frames frames, int inFlight) {
    String each = frames.operations() == 1 ? "" : " for " + frames.operations();
    String name =
        "echo of %d B and %d B%s, %d in flight"
            .formatted(frames.requestBytes(), frames.replyBytes(), each, inFlight);
    return new MachineLimit(name, new Echo(echo.port(), frames, inFlight));
  }

  /** Returns the limit of synced writes, with as many entries per sync as can have gathered. */
  public MachineLimit syncedWrites(int entryBytes, int inFlight) throws IOException {
    int fitting = Math.max(1, LARGEST_BATCH_BYTES / entryBytes);
    int batch = Math.min(Math.min(inFlight, LARGEST_BATCH), fitting);
    String name = "write+fdatasync of %d x %d B".formatted(batch, entryBytes);
    var writes = new SyncedWrites(directory.resolve("synced"), batch * entryBytes, batch);
    return new MachineLimit(name, writes);
  }

  public MachineLimit sequentialWrites(int entryBytes) throws IOException {
    var writes = new SequentialWrites(directory.resolve("sequential"), entryBytes);
    return new MachineLimit("sequential write, %d B each".formatted(entryBytes), writes);
  }

  @Override
  public void close() {
    echo.close();
  }
}
