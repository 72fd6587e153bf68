package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.StreamHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The content of a log address, as a read returns it. */
public sealed interface LogEntry {

  Address address();

  /**
   * An appended entry. It does not change until it is trimmed.
   *
   * @param streams the entry's header of each stream that it is in, in ascending order of their ids
   */
  record Data(Address address, List<StreamHeader> streams, ByteBuffer payload) implements LogEntry {

    public Data {
      streams = List.copyOf(streams);
    }

    /** Makes an entry that is in no stream. */
    public Data(Address address, ByteBuffer payload) {
      this(address, List.of(), payload);
    }

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

    /** Returns address and size, for people. */
    @Override
    public String toString() {
      return "the entry at address %s with %d bytes".formatted(address, payload.remaining());
    }
  }

  /**
   * A hole, which stays one: the writer with the token was too late, and the address was filled.
   */
  record Hole(Address address) implements LogEntry {}

  /** A trimmed address: its entry is gone for ever. */
  record Trimmed(Address address) implements LogEntry {}

  /** An address at or behind the log's tail. It holds nothing yet. */
  record Unwritten(Address address) implements LogEntry {}
}
