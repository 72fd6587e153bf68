package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;

/** The content of a place in a stream, as a {@link HeadReader} returns it. */
public sealed interface HeadRead {

  /**
   * The first bytes of an entry's payload.
   *
   * @param streamAddress the entry's place in the stream
   * @param address the entry's place in the log
   * @param payloadBytes the length of the whole payload in bytes
   * @param bytes the first bytes, fewer than asked for if the payload ends earlier
   */
  record Head(StreamAddress streamAddress, Address address, int payloadBytes, ByteBuffer bytes)
      implements HeadRead {

    /** Returns the first bytes, read-only, from position 0 to their limit. */
    @Override
    public ByteBuffer bytes() {
      return bytes.asReadOnlyBuffer();
    }

    /** Returns whether these are all bytes of the payload. */
    public boolean isWhole() {
      return bytes.remaining() == payloadBytes;
    }

    /** Returns place, address and sizes, for people. */
    @Override
    public String toString() {
      return "the first %d of %d bytes at place %s of the stream, at address %s"
          .formatted(bytes.remaining(), payloadBytes, streamAddress, address);
    }
  }

  /**
   * A trimmed part: its entries are gone.
   *
   * @param before the place at which the part ends, exclusive
   */
  record Trimmed(StreamAddress before) implements HeadRead {}

  /** The reader is at the end to which it was synced. */
  record Absent() implements HeadRead {
    public static final Absent ABSENT = new Absent();
  }
}
