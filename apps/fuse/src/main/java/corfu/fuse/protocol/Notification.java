package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** A message that the file system sends to the kernel by itself. */
public sealed interface Notification {

  /** A file of a poll is ready. */
  record PollReady(long kernelHandle) implements Notification {}

  /**
   * The kernel drops the attributes and cached data of a node.
   *
   * @param node the node
   * @param offset the first byte, or a negative number for the attributes alone
   * @param length the number of bytes, 0 for all behind the offset
   */
  record InvalidateInode(long node, long offset, long length) implements Notification {}

  /**
   * The kernel drops a name.
   *
   * @param parent the node of the directory
   * @param name the name
   * @param expireOnly whether the kernel asks again, rather than detaching mounts below the name
   */
  record InvalidateEntry(long parent, FileName name, boolean expireOnly) implements Notification {}

  /** The kernel drops a name, and its users see that the file is deleted. */
  record Delete(long parent, long child, FileName name) implements Notification {}

  /**
   * The kernel caches data of a node. The bytes are not copied.
   *
   * @param node the node
   * @param offset the first byte
   * @param data the data, at most the bytes of a write
   */
  record Store(long node, long offset, MemorySegment data) implements Notification {}

  /** Returns the bytes of the message. */
  default long messageBytes() {
    return ReplyEncoder.HEADER_BYTES
        + switch (this) {
          case PollReady _ -> 8L;
          case InvalidateInode _ -> 24L;
          case InvalidateEntry entry -> 16L + entry.name().length() + 1;
          case Delete delete -> 24L + delete.name().length() + 1;
          case Store store -> 24L + store.data().byteSize();
        };
  }

  /**
   * Writes the message.
   *
   * @param to a buffer of at least {@link #messageBytes} bytes
   */
  default void encode(MemorySegment to) {
    to.set(JAVA_INT_UNALIGNED, 0, (int) messageBytes());
    to.set(JAVA_INT_UNALIGNED, 4, code());
    to.set(JAVA_LONG_UNALIGNED, 8, 0);
    MemorySegment body = to.asSlice(ReplyEncoder.HEADER_BYTES);
    switch (this) {
      case PollReady ready -> body.set(JAVA_LONG_UNALIGNED, 0, ready.kernelHandle());
      case InvalidateInode inode -> {
        body.set(JAVA_LONG_UNALIGNED, 0, inode.node());
        body.set(JAVA_LONG_UNALIGNED, 8, inode.offset());
        body.set(JAVA_LONG_UNALIGNED, 16, inode.length());
      }
      case InvalidateEntry entry -> {
        body.set(JAVA_LONG_UNALIGNED, 0, entry.parent());
        body.set(JAVA_INT_UNALIGNED, 8, entry.name().length());
        body.set(JAVA_INT_UNALIGNED, 12, entry.expireOnly() ? 1 : 0);
        name(body, 16, entry.name());
      }
      case Delete delete -> {
        body.set(JAVA_LONG_UNALIGNED, 0, delete.parent());
        body.set(JAVA_LONG_UNALIGNED, 8, delete.child());
        body.set(JAVA_INT_UNALIGNED, 16, delete.name().length());
        body.set(JAVA_INT_UNALIGNED, 20, 0);
        name(body, 24, delete.name());
      }
      case Store store -> {
        body.set(JAVA_LONG_UNALIGNED, 0, store.node());
        body.set(JAVA_LONG_UNALIGNED, 8, store.offset());
        body.set(JAVA_INT_UNALIGNED, 16, (int) store.data().byteSize());
        body.set(JAVA_INT_UNALIGNED, 20, 0);
        MemorySegment.copy(store.data(), 0, body, 24, store.data().byteSize());
      }
    }
  }

  private int code() {
    return switch (this) {
      case PollReady _ -> 1;
      case InvalidateInode _ -> 2;
      case InvalidateEntry _ -> 3;
      case Store _ -> 4;
      case Delete _ -> 6;
    };
  }

  private static void name(MemorySegment body, long at, FileName name) {
    MemorySegment.copy(name.shared(), 0, body, JAVA_BYTE, at, name.length());
    body.set(JAVA_BYTE, at + name.length(), (byte) 0);
  }
}
