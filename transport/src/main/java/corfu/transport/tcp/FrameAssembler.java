package corfu.transport.tcp;

import corfu.protocol.message.Failure;
import corfu.protocol.wire.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a connection receives into frames, each in one piece of memory. A frame that came in
 * one read stays where it is; one that came in several is put together in a buffer that grows with
 * what has arrived, not with what the frame claims. Its beginning is copied there; what is then
 * missing is {@linkplain #room received there} at once, if it is much.
 *
 * <p>Not thread-safe: it lives on its connection's loop.
 */
final class FrameAssembler {

  /** Less is not worth a read of its own: more may have come behind it. */
  private static final int WORTH_A_READ = 16 << 10;

  private final ByteBufAllocator allocator;
  private final int maxFrameBytes;
  private final int firstCapacity;

  /** What was read and not yet cut, in order. */
  private final ArrayDeque<Memory> unread = new ArrayDeque<>();

  /** The beginning of a frame that came in several reads. */
  private @Nullable ByteBuf partial;

  /** Whether what is added next was received in it. */
  private boolean hasGivenRoom;

  private final HeldMemory held;
  private long heldBytes;

  /**
   * @param firstCapacity what a frame's buffer may measure before its bytes have arrived
   */
  FrameAssembler(
      ByteBufAllocator allocator, int maxFrameBytes, int firstCapacity, HeldMemory held) {
    this.firstCapacity = firstCapacity;
    this.held = held;
    this.allocator = allocator;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Where a large frame goes on; null if any memory will do. To be asked before each read: what
   * that brings is {@linkplain #add added} before the next one. Released if it brings nothing.
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

  /** Takes over what was read. */
  void add(ByteBuf read) {
    if (partial != null && hasGivenRoom) {
      partial.writerIndex(partial.writerIndex() + read.readableBytes());
      read.release();
    } else {
      unread.add(new Memory(read));
    }
    hasGivenRoom = false;
  }

  /**
   * Memory that is occupied by frames that have not been released, and by what has not been cut
   * yet.
   */
  long heldBytes() {
    return heldBytes;
  }

  /**
   * The next frame, which the caller releases; null until more has arrived.
   *
   * @throws UnreadableFrameException if what follows is not a frame; nothing behind it can be read
   *     any more
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

  /** Forgets what has not been cut. */
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

  /** Of the frame that begins there; of the shortest one as long as too little has come. */
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
   * To twice its size, but no more than wanted, with room for at least as much as is missing there.
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

  /** A buffer that frames share. It is charged in full until the last of them is released. */
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

    /** A view of the bytes. */
    ByteBuffer view() {
      return memory.buffer.nioBuffer(index, length);
    }

    void release() {
      memory.release();
    }
  }

  /** A frame that can't be cut out of what arrived, and what its sender is to be told. */
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
