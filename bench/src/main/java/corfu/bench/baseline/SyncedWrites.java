package corfu.bench.baseline;

import corfu.bench.harness.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Recorder;

/**
 * The limit of the disk for durable writes: {@code write} and {@code fdatasync}, repeated in a file
 * whose blocks exist already.
 */
final class SyncedWrites implements Workload {

  private static final long FILE_BYTES = 64 << 20;
  private static final int CHUNK_BYTES = 1 << 20;

  private final FileChannel file;
  private final ByteBuffer batch;
  private final int operations;
  private long position;

  /**
   * @param batchBytes the bytes of a write before each sync
   * @param operations the number of operations in one sync
   */
  SyncedWrites(Path path, int batchBytes, int operations) throws IOException {
    this.operations = operations;
    this.batch = ByteBuffer.allocateDirect(batchBytes);
    this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
    for (long at = 0; at < FILE_BYTES; at += CHUNK_BYTES) {
      file.write(zeros.clear(), at);
    }
    file.force(true);
  }

  @Override
  public long run(long nanos, Recorder latencies) throws IOException {
    long count = 0;
    long now = System.nanoTime();
    long deadline = now + nanos;
    while (now < deadline) {
      long start = now;
      if (position + batch.capacity() > FILE_BYTES) {
        position = 0;
      }
      batch.clear();
      position += file.write(batch, position);
      file.force(false);
      now = System.nanoTime();
      latencies.recordValue(now - start);
      count++;
    }
    return count * operations;
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
