package corfu.fuse.passthrough;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileCalls;
import corfu.fuse.protocol.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Extended attributes of local files. Thread-safe. */
final class ExtendedAttributes {

  /** Linux allows no larger value and no longer list. */
  private static final int MOST_BYTES = 65_536;

  /** Most values fit here at once. */
  private static final int USUAL_BYTES = 512;

  private ExtendedAttributes() {}

  /** Reads an attribute or a list into memory of a certain size. */
  @FunctionalInterface
  private interface Reader {
    long read(MemorySegment target, long bytes);
  }

  static Result<byte[]> get(Node node, Request.GetExtendedAttribute request) {
    byte[] name = request.name().bytes();
    return read(
        (target, bytes) -> FileCalls.getExtendedAttribute(node.path(), name, target, bytes));
  }

  static Result<byte[]> list(Node node) {
    return read((target, bytes) -> FileCalls.listExtendedAttributes(node.path(), target, bytes));
  }

  private static Result<byte[]> read(Reader reader) {
    Result<byte[]> usual = read(reader, USUAL_BYTES);
    return usual instanceof Result.Failure<byte[]>(Errno errno) && errno == Errno.ERANGE
        ? read(reader, MOST_BYTES)
        : usual;
  }

  private static Result<byte[]> read(Reader reader, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(bytes);
      long read = reader.read(target, bytes);
      return read < 0
          ? Result.failed(Errno.of(read))
          : Result.of(target.asSlice(0, read).toArray(JAVA_BYTE));
    }
  }

  static Result<Done> set(Node node, Request.SetExtendedAttribute request) {
    MemorySegment value = request.value();
    return Result.done(
        FileCalls.setExtendedAttribute(
            node.path(), request.name().bytes(), value, value.byteSize(), request.flags()));
  }

  static Result<Done> remove(Node node, Request.RemoveExtendedAttribute request) {
    return Result.done(FileCalls.removeExtendedAttribute(node.path(), request.name().bytes()));
  }
}
