package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.StreamHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an address of the log holds, as a reader is told. */
public sealed interface LogEntry {

  Address address();

  /**
   * Somebody's append. It stays the same until it is trimmed.
   *
   * @param streams what it says of the streams that it is in, in ascending order of their ids
   */
  record Data(Address address, List<StreamHeader> streams, ByteBuffer payload) implements LogEntry {

    public Data {
      streams = List.copyOf(streams);
    }

    /** In no stream. */
    public Data(Address address, ByteBuffer payload) {
      this(address, List.of(), payload);
    }

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
      return "the entry at address %s with %d bytes".formatted(address, payload.remaining());
    }
  }

  /**
   * Nothing, for ever: the writer who had the token did not come in time, and the address was
   * filled.
   */
  record Hole(Address address) implements LogEntry {}

  /** Nothing any more: somebody trimmed it. */
  record Trimmed(Address address) implements LogEntry {}

  /** Nothing yet: the log ends before this address. */
  record Unwritten(Address address) implements LogEntry {}
}
