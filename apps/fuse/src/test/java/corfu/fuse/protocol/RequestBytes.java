package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Writes a request as the kernel does: a header, then fields in their order. */
final class RequestBytes {

  static final int UNIQUE = 77;
  static final int NODE = 5;
  static final int UID = 1000;
  static final int GID = 100;
  static final int PID = 4242;

  private final MemorySegment bytes = Arena.ofAuto().allocate(4096, 8);
  private int length = RequestHeader.BYTES;

  static RequestBytes of(Opcode opcode) {
    return of(opcode.code());
  }

  static RequestBytes of(int opcode) {
    RequestBytes request = new RequestBytes();
    request.bytes.set(JAVA_INT_UNALIGNED, 4, opcode);
    request.bytes.set(JAVA_LONG_UNALIGNED, 8, UNIQUE);
    request.bytes.set(JAVA_LONG_UNALIGNED, 16, NODE);
    request.bytes.set(JAVA_INT_UNALIGNED, 24, UID);
    request.bytes.set(JAVA_INT_UNALIGNED, 28, GID);
    request.bytes.set(JAVA_INT_UNALIGNED, 32, PID);
    return request;
  }

  RequestBytes u32(int... values) {
    for (int value : values) {
      bytes.set(JAVA_INT_UNALIGNED, length, value);
      length += 4;
    }
    return this;
  }

  RequestBytes u64(long... values) {
    for (long value : values) {
      bytes.set(JAVA_LONG_UNALIGNED, length, value);
      length += 8;
    }
    return this;
  }

  RequestBytes name(String name) {
    return data(name).data("\0");
  }

  RequestBytes data(String data) {
    byte[] text = data.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(text, 0, bytes, JAVA_BYTE, length, text.length);
    length += text.length;
    return this;
  }

  int length() {
    return length;
  }

  Request decode() {
    return decode(length);
  }

  /** Decodes the first bytes, with a header that names as many. */
  Request decode(int first) {
    MemorySegment exact = Arena.ofAuto().allocate(first, 8);
    bytes.set(JAVA_INT_UNALIGNED, 0, first);
    MemorySegment.copy(bytes, 0, exact, 0, first);
    return new RequestDecoder(true).decode(exact, first);
  }
}
