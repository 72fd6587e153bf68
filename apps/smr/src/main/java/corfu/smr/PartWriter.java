package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Cuts a state into parts, and appends them to a stream, several at a time. Writes one part at
 * least, so that there is a first one. For one thread.
 */
final class PartWriter extends OutputStream {

  static final int PART_BYTES = 1 << 20;

  /** The bound on parts of a checkpoint that are in flight, and so on memory: 8 MiB. */
  static final int PARTS_IN_FLIGHT = 8;

  private final StreamAccess access;
  private final LogStream parts;
  private final Deque<CompletableFuture<StreamAppend.Appended>> inFlight = new ArrayDeque<>();
  private final List<Address> addresses = new ArrayList<>();
  private ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
  private StreamAddress firstPart = new StreamAddress(Long.MAX_VALUE);
  private long bytes;
  private boolean isClosed;

  /**
   * @param parts the stream of parts
   */
  PartWriter(StreamAccess access, LogStream parts) {
    this.access = access;
    this.parts = parts;
  }

  /**
   * Returns the end record of the parts that were written. To be called when the writer is closed.
   *
   * @param before the log address below which the state includes every command
   * @param resume the stream address of the next command
   */
  Checkpoint end(Address before, StreamAddress resume) {
    return new Checkpoint(before, resume, firstPart, bytes, addresses);
  }

  @Override
  public void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    int at = offset;
    int left = length;
    while (left > 0) {
      if (!part.hasRemaining()) {
        append();
        access.deadline().renew();
      }
      int some = Math.min(left, part.remaining());
      part.put(from, at, some);
      at += some;
      left -= some;
    }
    bytes += length;
  }

  private void append() {
    if (inFlight.size() == PARTS_IN_FLIGHT) {
      awaitFirst();
    }
    inFlight.add(parts.appendAsync(part.flip()));
    part = ByteBuffer.allocate(PART_BYTES);
  }

  /** Waits for the oldest part. Parts in flight may take any places in the stream. */
  private void awaitFirst() {
    StreamAppend.Appended appended;
    try {
      appended = inFlight.removeFirst().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
    StreamAddress at = appended.in(parts.id());
    firstPart = at.compareTo(firstPart) < 0 ? at : firstPart;
    addresses.add(appended.address());
  }

  /** Writes the last part, and waits until all parts are in the log. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    append();
    while (!inFlight.isEmpty()) {
      awaitFirst();
      if (!inFlight.isEmpty()) { // it was a full part
        access.deadline().renew();
      }
    }
  }
}
