package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Reads the bytes behind the header of one request, in order. Not thread-safe. */
final class RequestBody {

  private final MemorySegment bytes;
  private final long end;
  private long position;

  RequestBody(MemorySegment bytes, long start, long end) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  int int32() throws MalformedRequestException {
    return bytes.get(JAVA_INT_UNALIGNED, take(Integer.BYTES));
  }

  long int64() throws MalformedRequestException {
    return bytes.get(JAVA_LONG_UNALIGNED, take(Long.BYTES));
  }

  /** Skips padding and fields that nobody needs. */
  void skip(int count) throws MalformedRequestException {
    long unused = take(count);
  }

  /** Returns the bytes up to the next zero byte, behind which the body continues. */
  FileName name() throws MalformedRequestException {
    long start = position;
    long zero = start;
    while (zero < end && bytes.get(JAVA_BYTE, zero) != 0) {
      zero++;
    }
    if (zero == end) {
      throw new MalformedRequestException("a name without its zero byte");
    }
    byte[] name = new byte[(int) (zero - start)];
    MemorySegment.copy(bytes, JAVA_BYTE, start, name, 0, name.length);
    position = zero + 1;
    return FileName.owning(name);
  }

  /** Returns the next bytes, which stay in the buffer of the request. */
  MemorySegment bytes(int count) throws MalformedRequestException {
    return bytes.asSlice(take(count), count);
  }

  /** Returns the bytes that nobody has read yet. */
  long remaining() {
    return end - position;
  }

  private long take(int count) throws MalformedRequestException {
    if (count < 0 || count > end - position) {
      throw new MalformedRequestException(
          "%d bytes are expected, but %d remain".formatted(count, end - position));
    }
    long at = position;
    position += count;
    return at;
  }
}
