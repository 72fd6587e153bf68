package corfu.smr;

import corfu.protocol.Address;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;

/**
 * The parts of a checkpoint as one stream of bytes. While the caller uses a part, the next ones are
 * read. For one thread.
 */
final class PartReader extends InputStream {

  private final String name;
  private final StreamAccess access;
  private final Checkpoint checkpoint;
  private final Iterator<Address> next;
  private final Deque<CompletableFuture<LogEntry>> reading = new ArrayDeque<>();
  private ByteBuffer part = ByteBuffer.allocate(0);

  /**
   * @param name the name of the state machine
   */
  PartReader(String name, StreamAccess access, Checkpoint checkpoint) {
    this.name = name;
    this.access = access;
    this.checkpoint = checkpoint;
    this.next = checkpoint.parts().iterator();
  }

  @Override
  public int read() {
    return hasMore() ? part.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int some = Math.min(length, part.remaining());
    part.get(to, offset, some);
    return some;
  }

  private boolean hasMore() {
    while (!part.hasRemaining()) {
      readAhead();
      if (reading.isEmpty()) {
        return false;
      }
      if (!(access.await(reading.removeFirst()) instanceof LogEntry.Data data)) {
        throw new HistoryForgottenException(name, checkpoint.before());
      }
      part = data.payload();
      if (part.remaining() >= PartWriter.PART_BYTES) {
        access.deadline().renew();
      }
      readAhead();
    }
    return true;
  }

  private void readAhead() {
    while (reading.size() < PartWriter.PARTS_IN_FLIGHT && next.hasNext()) {
      reading.add(access.log().readAsync(next.next()));
    }
  }
}
