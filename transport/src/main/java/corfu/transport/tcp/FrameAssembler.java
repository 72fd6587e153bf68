package corfu.transport.tcp;

import corfu.protocol.message.Failure;
import corfu.protocol.wire.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a connection into frames, each in one piece of memory. A frame that arrived in
 * one read stays where it is. A frame that arrived in several reads is assembled in a buffer, which
 * grows with the bytes that have arrived, not with the length that the frame claims. The beginning
 * of the frame is copied into this buffer. If much is missing, the rest is {@linkplain #room
 * received there} directly.
 *
 * <p>Not thread-safe: it lives on its connection's loop.
 */
final class FrameAssembler {

  /**
   * The smallest number of missing bytes that is worth a read of its own: behind fewer bytes, the
   * next frame may have arrived, too.
   */
  private static final int WORTH_A_READ = 16 << 10;

  private final ByteBufAllocator allocator;
  private final int maxFrameBytes;
  private final int firstCapacity;

  /** The received bytes that are not cut yet, in order. */
  private final ArrayDeque<Memory> unread = new ArrayDeque<>();

  /** The beginning of a frame that arrives in several reads. */
  private @Nullable ByteBuf partial;

  /** Whether the next added bytes were received in the buffer from {@link #room}. */
  private boolean hasGivenRoom;

  private final HeldMemory held;
  private long heldBytes;

  /**
   * @param allocator allocates the buffers
   * @param maxFrameBytes the largest frame in bytes
   * @param firstCapacity the largest buffer for a frame whose bytes have not arrived yet, in bytes
   * @param held the memory of all connections of the loop
   */
  FrameAssembler(
      ByteBufAllocator allocator, int maxFrameBytes, int firstCapacity, HeldMemory held) {
    this.firstCapacity = firstCapacity;
    this.held = held;
    this.allocator = allocator;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Returns the buffer into which the rest of a large frame is read, or null if any memory will do.
   * To be called before each read; the bytes of that read are {@linkplain #add added} before the
   * next read. The caller releases the buffer if the read brings nothing.
   */
  @Nullable ByteBuf room() {
    hasGivenRoom = false;
    if (partial == null || !hasHeader(partial)) {
      return null;
    }
    int missing = lengthAt(partial) - partial.readableBytes();
    if (missing < WORTH_A_READ || held.isExhausted()) {
      return null;
    }
    if (partial.writableBytes() < Math.min(missing, WORTH_A_READ)) {
      grow(partial, WORTH_A_READ, lengthAt(partial));
    }
    int free = Math.min(missing, partial.writableBytes());
    hasGivenRoom = true;
    return partial.retainedSlice(partial.writerIndex(), free).clear();
  }

  /** Adds the bytes of a read, and becomes their owner. */
  void add(ByteBuf read) {
    if (partial != null && hasGivenRoom) {
      partial.writerIndex(partial.writerIndex() + read.readableBytes());
      read.release();
    } else {
      unread.add(new Memory(read));
    }
    hasGivenRoom = false;
  }

  /** Returns the bytes of memory used by unreleased frames and by uncut bytes. */
  long heldBytes() {
    return heldBytes;
  }

  /**
   * Returns the next frame, which the caller releases; null until more bytes have arrived.
   *
   * @throws UnreadableFrameException if the bytes are no frame; nothing behind them can be read any
   *     more
   */
  @Nullable FrameBytes next() {
    if (partial != null && isWhole(partial)) {
      return whole(partial);
    }
    while (!unread.isEmpty()) {
      Memory memory = unread.peek();
      FrameBytes frame = partial == null ? cut(memory) : complete(partial, memory.buffer);
      if (!memory.buffer.isReadable()) {
        unread.remove().release();
      }
      if (frame != null) {
        return frame;
      }
    }
    return null;
  }

  /** Releases the bytes that have not been cut. */
  void close() {
    for (Memory memory : unread) {
      memory.release();
    }
    unread.clear();
    if (partial != null) {
      uncharge(partial.capacity());
      partial.release();
      partial = null;
    }
  }

  private @Nullable FrameBytes cut(Memory memory) {
    ByteBuf buffer = memory.buffer;
    int available = buffer.readableBytes();
    if (!hasHeader(buffer)) {
      beginPartial(buffer, headerBytes(buffer));
      return null;
    }
    int length = lengthAt(buffer);
    if (length > available) {
      beginPartial(buffer, length);
      return null;
    }
    FrameBytes frame = memory.frame(buffer.readerIndex(), length);
    buffer.skipBytes(length);
    return frame;
  }

  private void beginPartial(ByteBuf from, int wanted) {
    int available = from.readableBytes();
    ByteBuf buffer =
        allocator.directBuffer(Math.max(available, Math.min(wanted, firstCapacity)), maxFrameBytes);
    buffer.writeBytes(from, available);
    charge(buffer.capacity());
    partial = buffer;
  }

  private @Nullable FrameBytes complete(ByteBuf buffer, ByteBuf from) {
    fill(buffer, from, FrameCodec.HEADER_BYTES);
    fill(buffer, from, headerBytes(buffer));
    if (!hasHeader(buffer)) {
      return null;
    }
    fill(buffer, from, lengthAt(buffer));
    return isWhole(buffer) ? whole(buffer) : null;
  }

  private boolean isWhole(ByteBuf buffer) {
    return hasHeader(buffer) && buffer.readableBytes() >= lengthAt(buffer);
  }

  private static boolean hasHeader(ByteBuf buffer) {
    return buffer.readableBytes() >= headerBytes(buffer);
  }

  /**
   * Returns the header size of the frame that begins there, or of the shortest frame while too
   * little has arrived.
   */
  private static int headerBytes(ByteBuf buffer) {
    return buffer.readableBytes() < FrameCodec.HEADER_BYTES
        ? FrameCodec.HEADER_BYTES
        : FrameCodec.headerBytes(header(buffer));
  }

  private static ByteBuffer header(ByteBuf buffer) {
    return buffer.internalNioBuffer(buffer.readerIndex(), buffer.readableBytes());
  }

  private FrameBytes whole(ByteBuf buffer) {
    partial = null;
    uncharge(buffer.capacity());
    Memory memory = new Memory(buffer);
    FrameBytes frame = memory.frame(buffer.readerIndex(), buffer.readableBytes());
    memory.release();
    return frame;
  }

  private void fill(ByteBuf buffer, ByteBuf from, int wanted) {
    int missing = Math.min(wanted - buffer.readableBytes(), from.readableBytes());
    if (missing <= 0) {
      return;
    }
    if (missing > buffer.writableBytes()) {
      if (held.isExhausted()) {
        throw new UnreadableFrameException(
            FrameCodec.requestId(header(buffer)),
            new Failure.Overloaded("its requests occupy " + held));
      }
      grow(buffer, missing, wanted);
    }
    buffer.writeBytes(from, missing);
  }

  /**
   * Doubles the buffer's size up to {@code wanted} bytes, but to no less than the missing bytes
   * need.
   */
  private void grow(ByteBuf buffer, int missing, int wanted) {
    int doubled = Math.max(firstCapacity, (int) Math.min(2L * buffer.capacity(), wanted));
    uncharge(buffer.capacity());
    buffer.capacity(Math.max(buffer.writerIndex() + missing, Math.min(doubled, wanted)));
    charge(buffer.capacity());
  }

  private int lengthAt(ByteBuf buffer) {
    int length = buffer.getIntLE(buffer.readerIndex());
    if (!FrameCodec.isHeaderSound(header(buffer))) {
      throw new UnreadableFrameException(
          0,
          new Failure.Refused(
              Failure.Cause.MALFORMED,
              "malformed frame: it has a header that is not as it was sent, by its checksum"));
    }
    if (length >= FrameCodec.HEADER_BYTES && length <= maxFrameBytes) {
      return length;
    }
    long requestId = FrameCodec.requestId(header(buffer));
    Failure failure =
        length > maxFrameBytes
            ? new Failure.Refused(
                Failure.Cause.TOO_LARGE,
                "frame of " + length + " bytes; the limit is " + maxFrameBytes)
            : new Failure.Refused(
                Failure.Cause.MALFORMED,
                "malformed frame: it claims "
                    + length
                    + " bytes, but a header alone has "
                    + FrameCodec.HEADER_BYTES);
    throw new UnreadableFrameException(requestId, failure);
  }

  private void charge(int bytes) {
    heldBytes += bytes;
    held.add(bytes);
  }

  private void uncharge(int bytes) {
    heldBytes -= bytes;
    held.remove(bytes);
  }

  /** A buffer that frames share. It counts in full until the last of them is released. */
  private final class Memory {

    private final ByteBuf buffer;
    private int users = 1;

    private Memory(ByteBuf buffer) {
      this.buffer = buffer;
      charge(buffer.capacity());
    }

    private FrameBytes frame(int index, int length) {
      users++;
      return new FrameBytes(this, index, length);
    }

    private void release() {
      users--;
      if (users == 0) {
        uncharge(buffer.capacity());
        buffer.release();
      }
    }
  }

  /** The bytes of one frame, valid until they are released. */
  static final class FrameBytes {

    private final Memory memory;
    private final int index;
    private final int length;

    private FrameBytes(Memory memory, int index, int length) {
      this.memory = memory;
      this.index = index;
      this.length = length;
    }

    int length() {
      return length;
    }

    /** Returns a view of the bytes. */
    ByteBuffer view() {
      return memory.buffer.nioBuffer(index, length);
    }

    void release() {
      memory.release();
    }
  }

  /** Received bytes are no frame; contains the failure for the sender. */
  static final class UnreadableFrameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long requestId;
    private final transient Failure failure;

    private UnreadableFrameException(long requestId, Failure failure) {
      super(String.valueOf(failure));
      this.requestId = requestId;
      this.failure = failure;
    }

    long requestId() {
      return requestId;
    }

    Failure failure() {
      return failure;
    }
  }
}
