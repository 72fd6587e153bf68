package corfu.bench.baseline;

import corfu.bench.harness.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Recorder;

/** The limit of the disk for one long stream of bytes, with one sync at the end. */
public final class SequentialWrites implements Workload {

  private static final int CHUNK_BYTES = 1 << 20;

  /** After this size the file starts anew, so that a long run does not fill the disk. */
  private static final long FILE_BYTES = 1L << 30;

  private final FileChannel file;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final int operationBytes;

  /**
   * @param operationBytes the number of bytes that count as one operation
   */
  public SequentialWrites(Path path, int operationBytes) throws IOException {
    this.operationBytes = operationBytes;
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  @Override
  public long run(long nanos, Recorder latencies) throws IOException {
    long bytes = 0;
    file.truncate(0);
    long now = System.nanoTime();
    long deadline = now + nanos;
    while (now < deadline) {
      long start = now;
      if (file.position() >= FILE_BYTES) {
        file.force(false);
        file.truncate(0);
      }
      chunk.clear();
      bytes += file.write(chunk);
      now = System.nanoTime();
      latencies.recordValue(now - start);
    }
    file.force(false);
    return bytes / operationBytes;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
