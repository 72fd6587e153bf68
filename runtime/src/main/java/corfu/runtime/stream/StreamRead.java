package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The content of a place in a stream, as a read returns it. */
public sealed interface StreamRead {

  /**
   * An entry of the stream.
   *
   * @param streamAddress its place in the stream
   * @param address its place in the log
   */
  record Entry(StreamAddress streamAddress, Address address, ByteBuffer payload)
      implements StreamRead {

    /** Returns the payload, read-only, from position 0 to its limit. */
    @Override
    public ByteBuffer payload() {
      return payload.asReadOnlyBuffer();
    }

    /** Returns a copy of the payload. */
    public byte[] toBytes() {
      byte[] copy = new byte[payload.remaining()];
      payload.get(payload.position(), copy);
      return copy;
    }

    /** Returns the payload, decoded as UTF-8. */
    public String text() {
      return StandardCharsets.UTF_8.decode(payload()).toString();
    }

    /** Returns place, address and size, for people. */
    @Override
    public String toString() {
      return "the entry at place %s of its stream, at address %s, with %d bytes"
          .formatted(streamAddress, address, payload.remaining());
    }
  }

  /**
   * A trimmed part: its entries are gone.
   *
   * @param before the place at which the part ends, exclusive
   */
  record Trimmed(StreamAddress before) implements StreamRead {}

  /** No entry is there. If later entries exist, there will never be one. */
  record Absent() implements StreamRead {
    public static final Absent ABSENT = new Absent();
  }
}
