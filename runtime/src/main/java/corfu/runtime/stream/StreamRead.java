package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a place in a stream holds, as a reader is told. */
public sealed interface StreamRead {

  /**
   * An entry of the stream.
   *
   * @param streamAddress its place in the stream
   * @param address its place in the log
   */
  record Entry(StreamAddress streamAddress, Address address, ByteBuffer payload)
      implements StreamRead {

    /** What was appended, read-only, from position 0 to its limit. */
    @Override
    public ByteBuffer payload() {
      return payload.asReadOnlyBuffer();
    }

    /** A copy of what was appended. */
    public byte[] toBytes() {
      byte[] copy = new byte[payload.remaining()];
      payload.get(payload.position(), copy);
      return copy;
    }

    /** What was appended, as UTF-8. */
    public String text() {
      return StandardCharsets.UTF_8.decode(payload()).toString();
    }

    /** For people: where it is, and how large. */
    @Override
    public String toString() {
      return "the entry at place %s of its stream, at address %s, with %d bytes"
          .formatted(streamAddress, address, payload.remaining());
    }
  }

  /**
   * What was there has been trimmed.
   *
   * @param before up to, not including, this place
   */
  record Trimmed(StreamAddress before) implements StreamRead {}

  /** No entry is there, and none can be where there are later ones; or none is there yet. */
  record Absent() implements StreamRead {
    public static final Absent ABSENT = new Absent();
  }
}
