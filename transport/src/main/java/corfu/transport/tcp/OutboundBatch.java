package corfu.transport.tcp;

import corfu.protocol.message.Message;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Checksum;

/**
 * A batch of frames that leave together. Frames are written into buffers that never grow: if one is
 * full, the next begins, so no byte is copied twice. Not thread-safe.
 */
final class OutboundBatch implements WireWriter {

  private static final int FIRST_SEGMENT_BYTES = 2 << 10;
  private static final int SEGMENT_BYTES = 32 << 10;

  private final ByteBufAllocator allocator;
  private final List<ByteBuf> segments = new ArrayList<>();

  /** The number of bytes in all buffers before the last. */
  private int sealedBytes;

  /** The memory of all buffers in bytes. */
  private long heldBytes;

  OutboundBatch(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  /** Returns the memory of the batch in bytes. */
  long heldBytes() {
    return heldBytes;
  }

  /**
   * Adds a message's frame, or leaves the batch unchanged if the frame is too large.
   *
   * @param message the message
   * @param requestId the request's number
   * @param version the schema version
   * @param maxFrameBytes the largest frame in bytes
   * @return the frame's size in bytes; more than {@code maxFrameBytes} if it was left out
   */
  int add(Message message, long requestId, int version, int maxFrameBytes) {
    int start = position();
    boolean whole = false;
    try {
      FrameCodec.encode(message, requestId, version, this);
      int length = position() - start;
      whole = length <= maxFrameBytes;
      return length;
    } finally {
      if (!whole) {
        cutOffAt(start);
      }
    }
  }

  /** Hands all frames to the channel, and starts a new batch. */
  void flushTo(Channel channel) {
    ByteBuf[] leaving = segments.toArray(ByteBuf[]::new);
    segments.clear(); // first, because writing calls the channel's handlers
    sealedBytes = 0;
    heldBytes = 0;
    for (ByteBuf segment : leaving) {
      Sockets.write(channel, segment);
    }
    channel.flush();
  }

  /** Drops all frames. */
  void clear() {
    segments.forEach(ByteBuf::release);
    segments.clear();
    sealedBytes = 0;
    heldBytes = 0;
  }

  private void cutOffAt(int position) {
    while (!segments.isEmpty() && sealedBytes >= position) {
      ByteBuf dropped = segments.removeLast();
      heldBytes -= dropped.capacity();
      dropped.release();
      sealedBytes -= segments.isEmpty() ? 0 : segments.getLast().writerIndex();
    }
    if (!segments.isEmpty()) {
      segments.getLast().writerIndex(position - sealedBytes);
    }
  }

  private ByteBuf room(int bytes) {
    if (!segments.isEmpty()) {
      ByteBuf last = segments.getLast();
      if (last.writableBytes() >= bytes) {
        return last;
      }
      sealedBytes = Math.addExact(sealedBytes, last.writerIndex());
    }
    int usual = segments.isEmpty() ? FIRST_SEGMENT_BYTES : SEGMENT_BYTES;
    ByteBuf next = allocator.directBuffer(Math.max(usual, bytes));
    segments.add(next);
    heldBytes += next.capacity();
    return next;
  }

  @Override
  public int position() {
    return segments.isEmpty() ? 0 : sealedBytes + segments.getLast().writerIndex();
  }

  @Override
  public void putByte(int value) {
    room(Byte.BYTES).writeByte(value);
  }

  @Override
  public void putShort(int value) {
    room(Short.BYTES).writeShortLE(value);
  }

  @Override
  public void putInt(int value) {
    room(Integer.BYTES).writeIntLE(value);
  }

  @Override
  public void putLong(long value) {
    room(Long.BYTES).writeLongLE(value);
  }

  @Override
  public void putBytes(ByteBuffer bytes) {
    room(bytes.remaining()).writeBytes(bytes.duplicate());
  }

  @Override
  public void digest(int from, int to, Checksum into) {
    int start = sealedBytes;
    int i = segments.size() - 1;
    while (from < start) {
      i--;
      start -= segments.get(i).writerIndex();
    }
    int at = from;
    while (at < to) {
      ByteBuf segment = segments.get(i);
      int end = Math.min(to, start + segment.writerIndex());
      into.update(segment.internalNioBuffer(at - start, end - at));
      at = end;
      start += segment.writerIndex();
      i++;
    }
  }

  @Override
  public void setInt(int position, int value) {
    int start = sealedBytes;
    int i = segments.size() - 1;
    while (position < start) {
      i--;
      start -= segments.get(i).writerIndex();
    }
    segments.get(i).setIntLE(position - start, value);
  }
}
