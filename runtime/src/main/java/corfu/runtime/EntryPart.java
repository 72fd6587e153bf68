package corfu.runtime;

import corfu.protocol.Address;
import java.nio.ByteBuffer;

/** The content of a log address, as the read of a part of its entry returns it. */
public sealed interface EntryPart {

  Address address();

  /**
   * A part of an appended entry's payload. It does not change until the entry is trimmed.
   *
   * @param payloadBytes the length of the whole payload in bytes
   * @param offset the offset of the first byte in the payload, at most {@code payloadBytes}
   * @param bytes the bytes from there on, fewer than asked for if the payload ends earlier
   */
  record Data(Address address, int payloadBytes, int offset, ByteBuffer bytes)
      implements EntryPart {

    /** Returns the bytes, read-only, from position 0 to their limit. */
    @Override
    public ByteBuffer bytes() {
      return bytes.asReadOnlyBuffer();
    }

    /** Returns a copy of the bytes. */
    public byte[] toBytes() {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(bytes.position(), copy);
      return copy;
    }

    /** Returns address and place, for people. */
    @Override
    public String toString() {
      return "bytes %d to %d of %d at address %s"
          .formatted(offset, offset + bytes.remaining(), payloadBytes, address);
    }
  }

  /**
   * A hole, which stays one: the writer with the token was too late, and the address was filled.
   */
  record Hole(Address address) implements EntryPart {}

  /** A trimmed address: its entry is gone for ever. */
  record Trimmed(Address address) implements EntryPart {}

  /** An address at or behind the log's tail. It holds nothing yet. */
  record Unwritten(Address address) implements EntryPart {}
}
